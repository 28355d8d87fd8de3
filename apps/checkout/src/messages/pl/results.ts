import type { results as english } from '../en/results.ts'
import type { Message } from '../message.ts'

/** In Polish: the end of a payment, with results, receipt and reasons; and the screens of errors. */
export const results = {
  'paid.title': 'Zapłacono',
  'paid.text': 'Dziękujemy. Sklep został poinformowany.',
  'paid.late': 'Pieniądze dotarły po upływie czasu na płatność. Sklep został poinformowany.',
  'paid.different': 'Otrzymaliśmy {received} zamiast {amount}. Sklep został poinformowany.',
  'paid.contact': 'W\u00a0razie pytań skontaktuj się ze sklepem.',

  'receipt.title': 'Potwierdzenie płatności',
  'receipt.payee': 'Odbiorca',
  'receipt.amount': 'Kwota',
  'receipt.moment': 'Data i\u00a0godzina',
  'receipt.method': 'Metoda płatności',
  'receipt.reference': 'Numer płatności',
  'receipt.bankReference': 'Numer referencyjny banku',
  'receipt.shareTitle': 'Potwierdzenie płatności: {amount}',
  'receipt.shareText': 'Zapłacono {amount}, zamówienie {order}',

  'notPaid.title': 'Płatność nie została zrealizowana',
  'notPaid.noMoney': 'Nie pobrano żadnych środków.',
  'notPaid.perhaps': {
    one: 'Jeśli konto zostało obciążone, pieniądze wrócą w\u00a0ciągu {count} dnia. Numer płatności: {reference}',
    few: 'Jeśli konto zostało obciążone, pieniądze wrócą w\u00a0ciągu {count} dni. Numer płatności: {reference}',
    many: 'Jeśli konto zostało obciążone, pieniądze wrócą w\u00a0ciągu {count} dni. Numer płatności: {reference}',
    other:
      'Jeśli konto zostało obciążone, pieniądze wrócą w\u00a0ciągu {count} dnia. Numer płatności: {reference}',
  },
  'notPaid.support': 'Informacje dla pomocy technicznej',
  'notPaid.code': 'Kod',

  'cancelled.title': 'Płatność została anulowana',

  'expired.title': 'Czas na płatność minął',
  'expired.text': 'Nic nie dotarło na czas. Możesz zacząć od nowa w\u00a0sklepie.',
  'expired.paid': 'Już zapłacone',
  'expired.paidText': 'Nie płać drugi raz. Podaj numer referencyjny, abyśmy mogli odnaleźć płatność.',
  'expired.paidWait': 'Nie płać drugi raz. Poinformujemy sklep, gdy tylko pieniądze dotrą.',
  'expired.enterReference': 'Podaj numer',

  'reversed.title': 'Pieniądze zwrócone',
  'reversed.text': 'Zwrócono {amount}. Pieniądze mogą dotrzeć na konto dopiero po kilku dniach.',

  'status.newLink': 'Poproś sklep o\u00a0nowy link.',

  // Why a payment failed
  'reason.funds': 'Według banku na tym koncie brakuje środków.',
  'reason.declined': 'Twój bank nie zatwierdził płatności.',
  'reason.authentication': 'Zatwierdzenie w\u00a0aplikacji nie powiodło się.',
  'reason.cancelled': 'Płatność została anulowana w\u00a0Twoim banku.',
  'reason.bankDown': 'Twój bank jest teraz niedostępny. Spróbuj skorzystać z\u00a0innego banku.',
  'reason.limit': 'Kwota przekracza limit konta lub tej metody płatności.',
  'reason.account': 'Tego konta nie można użyć do tej płatności.',
  'reason.timeout': 'Zatwierdzenie nie dotarło na czas.',
  'reason.returned': 'Pieniądze zostały do Ciebie odesłane.',
  'reason.unknown': 'Nie udało się zrealizować płatności.',
  'action.askBank': 'Przyczynę może podać Twój bank.',

  // Screens of errors
  'error.code': 'Kod błędu',
  'error.linkInvalid': 'Ten link do płatności wygasł',
  'error.linkInvalidText':
    'Ze względów bezpieczeństwa linki działają tylko przez pewien czas. Otwarcie tego linku nie spowodowało pobrania środków.',
  'error.linkInvalidAction':
    'Jeśli nie zapłacono jeszcze zamówienia, wróć do sklepu i\u00a0rozpocznij płatność od nowa.',
  'error.linkIncomplete': 'Ten link do płatności jest niekompletny',
  'error.linkIncompleteText':
    'Nie pobrano żadnych środków. Wróć do sklepu i\u00a0rozpocznij płatność od nowa.',
  'error.shopDetails': 'Sklep przesłał niekompletne dane',
  'error.shopDetailsText': 'Nie pobrano żadnych środków. Skontaktuj się ze sklepem.',
  'error.returnAddress': 'Adres powrotu do sklepu nie jest zarejestrowany',
  'error.returnAddressText':
    'Ze względów bezpieczeństwa nie możemy kontynuować. Nie pobrano żadnych środków.',
  'error.unknownPayment': 'Nie możemy znaleźć tej płatności',
  'error.unknownPaymentText': 'Być może nie została rozpoczęta.',
  'error.noOptions': 'Tej kwoty nie można tu zapłacić',
  'error.noOptionsText': 'Kwoty {amount} nie można zapłacić metodami dostępnymi w\u00a0tym sklepie.',
  'error.unreachable': 'Brak połączenia z\u00a0usługą płatności',
  'error.unreachableText': 'Nie pobrano żadnych środków. Zachowamy dane i\u00a0spróbujemy ponownie.',
  'error.unreachableUnsure': 'Nie płać ponownie. Zachowamy dane i\u00a0sprawdzimy status płatności.',
  'error.busy': 'Trwa teraz bardzo wiele płatności',
  'error.busyText': 'Nie pobrano żadnych środków. Za chwilę spróbujemy ponownie.',
  'error.limited': 'Proszę chwilę poczekać',
  'error.limitedText':
    'Z\u00a0Twojego połączenia przyszło zbyt wiele żądań. Nie ma to wpływu na\u00a0Twoją płatność.',
  'error.unexpected': 'Coś poszło nie tak po naszej stronie',
  'error.unexpectedText': 'Spróbuj ponownie. Jeśli błąd się powtórzy, podaj ten kod sklepowi.',
  'error.forbidden': 'Ten formularz nie został wysłany z\u00a0naszej strony',
  'error.forbiddenText':
    'Ze względów bezpieczeństwa nie został przetworzony. Otwórz płatność ponownie ze sklepu.',
  'error.notFound': 'Nie znaleziono strony',
  'error.notFoundText': 'Użyj linku otrzymanego od sklepu.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>
