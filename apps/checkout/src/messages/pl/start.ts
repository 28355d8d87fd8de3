import type { start as english } from '../en/start.ts'
import type { Message } from '../message.ts'

/** In Polish: the frame of every screen, and the screens before the payment exists. */
export const start = {
  // Frame
  'frame.skip': 'Przejdź do treści',
  'frame.sandbox': 'SANDBOX – bez prawdziwych pieniędzy',
  'frame.orderNumber': 'Numer zamówienia',
  'frame.changeLanguage': 'Zmień język',
  'frame.support': 'Kontakt ze sklepem {shop}',
  'frame.secured': 'Płatność zabezpiecza {operator}',
  'frame.trust':
    'Połączenie szyfrowane. Sklep widzi, że płatność jest zrobiona, ale nigdy Twoich danych logowania do banku.',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': 'Zapłać {amount}',
  'title.paid': 'Zapłacono {amount}',
  'title.notPaid': 'Nie zapłacono',
  'title.inProgress': 'Płatność w\u00a0toku',
  'title.faulty': 'Sprawdź: {title}',

  // Actions of many screens
  'common.change': 'Zmień',
  'common.close': 'Zamknij',
  'common.copyWhat': 'Kopiuj: {label}',
  'common.copied': 'Skopiowano: {label}',
  'common.copiedShort': 'Skopiowano',
  'common.copyFailed': 'Przytrzymaj, aby skopiować',
  'common.optional': 'opcjonalnie',
  'common.printOrSave': 'Drukuj lub zapisz',
  'common.share': 'Udostępnij',
  'common.sending': 'Wysyłanie…',
  'common.stay': 'Zostań tutaj',
  'common.stop': 'Zatrzymaj',
  'common.tryAgain': 'Spróbuj ponownie',
  'common.tryNow': 'Spróbuj teraz',
  'common.returnTo': 'Wróć na {host}',
  'common.cancelAndReturnTo': 'Anuluj i\u00a0wróć na {host}',

  // Going on without a click
  'proceed.continuing': {
    one: 'Automatyczne przejście dalej za {count} sekundę.',
    few: 'Automatyczne przejście dalej za {count} sekundy.',
    many: 'Automatyczne przejście dalej za {count} sekund.',
    other: 'Automatyczne przejście dalej za {count} sekundy.',
  },
  'proceed.returning': {
    one: 'Powrót do sklepu za {count} sekundę.',
    few: 'Powrót do sklepu za {count} sekundy.',
    many: 'Powrót do sklepu za {count} sekund.',
    other: 'Powrót do sklepu za {count} sekundy.',
  },
  'proceed.retrying': {
    one: 'Ponowna próba za {count} sekundę.',
    few: 'Ponowna próba za {count} sekundy.',
    many: 'Ponowna próba za {count} sekund.',
    other: 'Ponowna próba za {count} sekundy.',
  },

  // Leaving
  'leave.title': 'Płatność nie jest jeszcze zakończona. Opuścić stronę?',
  'leave.text': 'Płatność pozostaje otwarta do {moment}. Do tego czasu można wrócić na tę stronę.',
  'leave.paid': 'Jeśli płatność jest już zrobiona, nie płać drugi raz: poinformujemy sklep.',
  'leave.stay': 'Zostań na stronie',
  'leave.go': 'Opuść stronę',

  // Methods and operators
  'choose.title': 'Jak chcesz zapłacić?',
  'choose.bank': 'Wybierz swój bank',
  'choose.wallet': 'Wybierz swój portfel',
  'choose.searchBank': 'Wyszukaj swój bank',
  'choose.searchWallet': 'Wyszukaj swój portfel',
  'choose.searchHint': 'Nazwa lub BIC',
  'choose.popular': 'Najczęściej wybierane',
  'choose.otherBanks': 'Pozostałe banki',
  'choose.otherWallets': 'Pozostałe portfele',
  'choose.unavailable': 'Chwilowo niedostępne',
  'choose.closed': 'Teraz niedostępne',
  'choose.limitReached': 'Dzienny limit wyczerpany',
  'choose.limitReachedOf': 'Dzienny limit tej metody płatności został wyczerpany: {method}. Wybierz inną.',
  'choose.delayed': 'Teraz wolniej niż zwykle',
  'choose.bankNotListed': 'Nie ma tu mojego banku',
  'choose.walletNotListed': 'Nie ma tu mojego portfela',
  'choose.chooseAnotherWay': 'Wybierz inną metodę płatności',
  'choose.results': {
    one: '{count} wynik',
    few: '{count} wyniki',
    many: '{count} wyników',
    other: '{count} wyniku',
  },
  'choose.noResults': 'Nic nie znaleziono. Sprawdź pisownię lub wybierz inną metodę płatności.',
  'choose.suggestedUnavailable': 'Proponowana metoda płatności jest niedostępna dla tej kwoty. Wybierz inną.',

  'method.BANK_TRANSFER': 'Przelew bankowy',
  'method.ONLINE_BANKING': 'Bankowość internetowa',
  'method.WALLET': 'Portfel elektroniczny',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'Przelew z\u00a0numerem referencyjnym',
  'method.CRYPTO': 'Kryptowaluta',

  'flow.REDIRECT': 'Zatwierdź płatność w\u00a0swoim banku lub portfelu.',
  'flow.INSTRUCTIONS': 'Skopiuj dane do aplikacji banku.',
  'flow.QR': 'Zeskanuj kod lub zapłać w\u00a0aplikacji.',
  'flow.REFERENCE': 'Zapłać w\u00a0aplikacji banku i\u00a0podaj tutaj numer referencyjny.',

  'speed.INSTANT': 'Od razu',
  'speed.MINUTES': 'Kilka minut',
  'speed.HOURS': 'Kilka godzin',
  'speed.DAYS': 'Kilka dni',

  // Details
  'details.title': 'Twoje dane',
  'details.providedBy': 'Dane podane przez sklep {shop}',
  'details.providedByShop': 'Dane podane przez sklep',
  'details.pay': 'Zapłać {amount}',
  'details.showCode': 'Pokaż kod QR',
  'details.showInstructions': 'Pokaż dane do płatności',
  'details.continueTo': 'Przejdź do serwisu {operator}',
  'details.faults': {
    one: 'Popraw {count} pole',
    few: 'Popraw {count} pola',
    many: 'Popraw {count} pól',
    other: 'Popraw {count} pola',
  },

  // Confirmation
  'confirm.title': 'Zapłać {amount} sklepowi {shop} – {method}',
  'confirm.titleShop': 'Zapłać {amount} – {method}',
  'confirm.with': 'Zapłać – {method}',
  'confirm.text': 'Żadne środki nie zostaną pobrane, zanim naciśniesz przycisk.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>
