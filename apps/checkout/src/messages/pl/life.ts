import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Polish: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Twoja przeglądarka nie zapisuje plików cookie',
  'cookies.text':
    'Ta strona potrzebuje pliku cookie, aby śledzić Twoją płatność. Służy on tylko do tej płatności.',
  'cookies.how':
    'Zezwól na pliki cookie dla tej strony w ustawieniach przeglądarki albo użyj innej przeglądarki.',
  'cookies.app': 'Jeśli jesteś w aplikacji, wybierz w jej menu „Otwórz w przeglądarce”.',
  'phone.minutes': {
    one: 'Kod jest ważny {count} minutę.',
    few: 'Kod jest ważny {count} minuty.',
    many: 'Kod jest ważny {count} minut.',
    other: 'Kod jest ważny {count} minuty.',
  },
  'phone.over': 'Ten kod stracił ważność',
  'phone.overText': 'Wyświetl go ponownie na drugim urządzeniu i zeskanuj jeszcze raz.',
  'unavailable.text': 'Próbujemy dalej. Jeśli płatność została tam już zatwierdzona, nie musisz nic robić.',
  'unavailable.anyway': 'Mimo to przejdź do {operator}',
  'partial.overTitle': 'Wpłynęło więcej niż kwota płatności',
  'partial.other': 'Otrzymaliśmy {received} zamiast {amount}.',
  'partial.nothingMore': 'Nie musisz już nic płacić.',
  'waiting.back': 'Powrót z {operator}',
  'waiting.checked': 'Przekazano do sprawdzenia przez człowieka',
  'status.linkEnded': 'Twój link wygasł. Nadal widzisz tu stan swojej płatności.',
} as const satisfies Record<keyof typeof source, Message>
