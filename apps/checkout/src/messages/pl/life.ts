import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Polish: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Twoja przeglądarka blokuje pliki cookie',
  'cookies.text':
    'Ta strona potrzebuje pliku cookie, aby śledzić Twoją płatność. Nie służy on do niczego innego.',
  'cookies.how':
    'Zezwól na pliki cookie dla tej strony w\u00a0ustawieniach przeglądarki albo użyj innej przeglądarki.',
  'cookies.app':
    'Jeśli ta strona jest otwarta w\u00a0aplikacji, wybierz w\u00a0jej menu „Otwórz w\u00a0przeglądarce”.',
  'phone.minutes': {
    one: 'Kod jest ważny {count} minutę.',
    few: 'Kod jest ważny {count} minuty.',
    many: 'Kod jest ważny {count} minut.',
    other: 'Kod jest ważny {count} minuty.',
  },
  'phone.over': 'Ten kod stracił ważność',
  'phone.overText': 'Wyświetl kod ponownie na drugim urządzeniu i\u00a0zeskanuj go jeszcze raz.',
  'unavailable.text':
    'Próbujemy dalej. Jeśli płatność została tam już zatwierdzona, nie musisz robić nic więcej.',
  'unavailable.anyway': 'Mimo to przejdź do serwisu {operator}',
  'partial.overTitle': 'Otrzymaliśmy więcej, niż wynosi kwota płatności',
  'partial.other': 'Otrzymaliśmy {received} zamiast {amount}.',
  'partial.nothingMore': 'Nie musisz już nic płacić.',
  'waiting.back': 'Powrót z\u00a0serwisu {operator}',
  'waiting.notAgain': 'Nie płać ponownie.',
  'waiting.checked': 'Nasz zespół sprawdza płatność',
  'status.linkEnded': 'Twój link wygasł. Nadal możesz tu śledzić swoją płatność.',
} as const satisfies Record<keyof typeof source, Message>
