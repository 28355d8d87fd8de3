import type { pay as english } from '../en/pay.ts'
import type { Message } from '../message.ts'

/** In Polish: the payment exists and waits, at the institution, for a transfer, a reference or a confirmation. */
export const pay = {
  // On the way to the institution
  'redirect.title': 'Kontynuuj w\u00a0serwisie {operator}',
  'redirect.text':
    'Zatwierdź tam płatność na kwotę {amount} dla sklepu {payee}. Potem wrócisz tu automatycznie.',
  'redirect.textShop': 'Zatwierdź tam płatność na kwotę {amount}. Potem wrócisz tu automatycznie.',
  'redirect.go': 'Przejdź do serwisu {operator}',
  'redirect.opensApp': 'Otworzy się aplikacja, jeśli jest na tym telefonie.',
  'redirect.phone': 'Masz aplikację w\u00a0telefonie?',
  'redirect.phoneText': 'Zeskanuj ten kod telefonem i\u00a0kontynuuj na nim.',
  'redirect.unavailable': '{operator} teraz nie odpowiada',
  'redirect.unavailableText': 'Nie pobrano żadnych środków.',

  'back.title': 'Płatność w\u00a0serwisie {operator} nie jest dokończona',
  'back.text': 'Nie otrzymaliśmy jeszcze Twojego zatwierdzenia.',
  'back.approved': 'Płatność jest już zatwierdzona',

  // Instructions
  'code.label': 'Kod QR: {amount}, odbiorca {payee}, tytuł {reference}',
  'code.lead': 'Zeskanuj kod swoją aplikacją.',
  'code.leadApp': 'Otwórz aplikację lub zeskanuj kod innym telefonem.',
  'code.leadWallet': 'Otwórz portfel lub zeskanuj nim kod.',
  'code.enlarge': 'Powiększ',
  'code.otherPhone': 'Zeskanuj innym telefonem',
  'code.copyCode': 'Kopiuj kod',
  'code.copyHint': 'Skopiuj kod i\u00a0wklej go w\u00a0aplikacji.',
  'code.paymentCode': 'Kod płatności',
  'code.openApp': 'Otwórz w\u00a0aplikacji',
  'code.noApp':
    'Nie otworzyła się żadna aplikacja? Skopiuj kod i\u00a0wklej go w\u00a0aplikacji albo zeskanuj innym telefonem.',

  'transfer.title': 'Przelew z\u00a0Twojego banku',
  'transfer.lead': 'Skopiuj te dane do aplikacji banku.',
  'transfer.leadScan': 'Zeskanuj kod aplikacją banku lub wpisz dane.',
  'transfer.leadApp': 'Otwórz aplikację banku lub skopiuj do niej te dane.',
  'transfer.details': 'Dane do płatności',
  'transfer.payee': 'Odbiorca',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'Numer rachunku',
  'transfer.address': 'Adres',
  'transfer.bank': 'Bank',
  'transfer.bankCode': 'Kod banku',
  'transfer.bankTitle': 'Bank i\u00a0kod banku',
  'transfer.amount': 'Kwota',
  'transfer.reference': 'Tytuł przelewu',
  'transfer.referenceRule': 'Wpisz dokładnie tak. Inaczej nie da się odnaleźć Twojej płatności.',
  'transfer.late': 'Pieniądze, które dotrą po tym czasie, nie przepadną: poinformujemy sklep.',
  'transfer.lateTitle': 'Co, jeśli zapłacę za późno?',
  'transfer.save': 'Zapisz te dane',

  'deadline.payBefore': 'Zapłać do {moment}',
  'countdown.minutes': {
    one: 'Pozostała {count} minuta',
    few: 'Pozostały {count} minuty',
    many: 'Pozostało {count} minut',
    other: 'Pozostało {count} minuty',
  },
  'countdown.over': 'Czas minął. Sprawdzamy, czy Twoja płatność dotarła.',

  'waitFor.title': 'Czekamy na płatność…',
  'waitFor.text': 'Strona odświeża się automatycznie. Można ją zamknąć, sklep poinformujemy i\u00a0tak.',
  'waitFor.textNoScript': 'Ta strona odświeża się co 20\u00a0sekund.',
  'waitFor.paid': 'Już zapłacone',
  'waitFor.phone': 'Kontynuuj na telefonie',
  'waitFor.phoneCode': 'Kod QR: ta strona na telefonie',

  'partial.title': 'Dotarła część pieniędzy',
  'partial.text': 'Otrzymaliśmy {received} z\u00a0{amount}.',
  'partial.rest': 'Prześlij pozostałą kwotę {rest} z\u00a0tym samym tytułem przelewu.',
  'partial.restLabel': 'Pozostało do zapłaty',

  // External reference
  'reference.title': 'Podaj numer referencyjny płatności',
  'reference.text': 'Po zapłaceniu aplikacja pokazuje numer referencyjny. Pomoże nam odnaleźć płatność.',
  'reference.where': 'Gdzie go znaleźć?',
  'reference.whereApp': 'Otwórz płatność w\u00a0aplikacji. Numer jest w\u00a0szczegółach płatności.',
  'reference.whereReceipt': 'Przy płatności w\u00a0okienku numer jest na potwierdzeniu.',
  'reference.send': 'Wyślij numer',
  'reference.cannotFind': 'Nie mogę go znaleźć',
  'reference.thanks': 'Dziękujemy. Szukamy Twojej płatności.',
  'reference.correct': 'Popraw numer',
  'reference.refused': 'Ten numer nie został przyjęty. Sprawdź go.',

  // Waiting for a confirmation
  'waiting.title': 'Twoja płatność jest potwierdzana',
  'waiting.timeline': 'Przebieg płatności',
  'waiting.sent': 'Dane wysłane',
  'waiting.referenceSent': 'Numer wysłany',
  'waiting.confirming': 'Oczekiwanie na potwierdzenie',
  'waiting.usual': 'Zwykle trwa to mniej niż 2 minuty. Nie płać ponownie.',
  'waiting.long': 'Trwa to dłużej niż zwykle. Nie płać ponownie.',
  'waiting.longText':
    'Można opuścić stronę: poinformujemy sklep, a\u00a0ten link nadal będzie pokazywać wynik.',
  'waiting.review': 'Nasz zespół sprawdza Twoją płatność.',
  'waiting.copyLink': 'Kopiuj link do tej strony',
  'waiting.link': 'Link do tej strony',

  'live.changed': 'Status Twojej płatności się zmienił.',
  'live.show': 'Pokaż nowy status',
  'offline.text': 'Brak połączenia z\u00a0internetem. Wznowimy, gdy wróci.',
  'offline.back': 'Połączenie z\u00a0internetem wróciło.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>
