import { developer } from './developer.ts'
import type { en } from './en.ts'
import type { Message } from './message.ts'

/** Polish. Has exactly the keys of the English one, or does not compile. */
export const pl = {
  // The frame of every screen, and the screens before the payment exists.

  // Frame
  'frame.skip': 'Przejdź do treści',
  'frame.sandbox': 'SANDBOX – bez prawdziwych pieniędzy',
  'frame.orderNumber': 'Numer zamówienia',
  'frame.changeLanguage': 'Zmień język',
  'frame.support': 'Kontakt ze sklepem {shop}',
  'frame.secured': 'Płatność zabezpiecza {operator}',
  'frame.trust':
    'Połączenie szyfrowane. Sklep widzi, że zamówienie zostało opłacone, ale nigdy Twoich danych logowania do banku.',

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
  'leave.paid': 'Jeśli płatność została już wykonana, nie płać drugi raz: poinformujemy sklep.',
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

  // What customers type in, its labels and hints, and what can be wrong with it.
  'field.accountName': 'Imię i\u00a0nazwisko właściciela rachunku',
  'field.accountName.hint': 'Tak jak w\u00a0danych rachunku bankowego.',
  'field.iban': 'IBAN',
  'field.iban.hint': 'Znajdziesz go w\u00a0aplikacji banku. Zaczyna się od dwóch liter, np. {example}.',
  'field.accountNumber': 'Numer rachunku',
  'field.accountNumber.hint': 'Znajdziesz go w\u00a0aplikacji banku lub na wyciągu.',
  'field.bankCode': 'Kod banku',
  'field.bankCode.hint': 'BIC, IFSC lub sort code Twojego banku.',
  'field.emailAddress': 'E-mail',
  'field.emailAddress.hint': 'Użyjemy go tylko do tej płatności.',
  'field.vpa': 'Identyfikator UPI',
  'field.vpa.hint': 'Ma postać {example}.',
  'field.walletAccount': 'Konto w\u00a0portfelu',
  'field.walletAccount.hint': 'Numer telefonu, e-mail lub nazwa używana w\u00a0portfelu.',
  'field.address': 'Adres Twojego portfela',
  'field.address.hint': 'W\u00a0razie potrzeby odeślemy pieniądze na ten adres.',
  'field.reference': 'Numer referencyjny płatności',
  'field.reference.hint': 'Jest w\u00a0szczegółach płatności w\u00a0aplikacji lub na potwierdzeniu.',
  'field.rrn': 'Identyfikator transakcji UPI (UTR)',
  'field.rrn.hint': '12 cyfr, w\u00a0aplikacji jako „UPI transaction ID” lub „UTR”.',
  'field.neftUtr': 'UTR przelewu NEFT',
  'field.neftUtr.hint': '16 liter i\u00a0cyfr, w\u00a0szczegółach przelewu.',
  'field.rtgsUtr': 'UTR przelewu RTGS',
  'field.rtgsUtr.hint': '22 litery i\u00a0cyfry; piąty znak to R.',
  'field.endToEndId': 'Identyfikator transakcji Pix (EndToEnd)',
  'field.endToEndId.hint': '32 znaki, pierwszy to E; na potwierdzeniu (comprovante).',
  'field.transactionId': 'Identyfikator transakcji',
  'field.transactionId.hint': 'Portfel pokazuje go po wysłaniu.',

  'fault.required': 'To pole jest wymagane: {label}.',
  'fault.tooLong': {
    one: 'Dozwolony jest najwyżej {count} znak; wpisano: {typed}.',
    few: 'Dozwolone są najwyżej {count} znaki; wpisano: {typed}.',
    many: 'Dozwolonych jest najwyżej {count} znaków; wpisano: {typed}.',
    other: 'Dozwolone jest najwyżej {count} znaku; wpisano: {typed}.',
  },
  'fault.characters': 'Ten znak nie jest tu dozwolony: {character}',
  'fault.pattern': 'Te dane wyglądają na błędne. Porównaj je z\u00a0oryginałem.',

  'fault.iban.country': 'IBAN zaczyna się od dwuliterowego kodu kraju; {country} nim nie jest.',
  'fault.iban.tooShort': {
    one: 'IBAN zaczynający się od {country} ma {count} znak; wpisano: {typed}.',
    few: 'IBAN zaczynający się od {country} ma {count} znaki; wpisano: {typed}.',
    many: 'IBAN zaczynający się od {country} ma {count} znaków; wpisano: {typed}.',
    other: 'IBAN zaczynający się od {country} ma {count} znaku; wpisano: {typed}.',
  },
  'fault.iban.tooLong': {
    one: 'IBAN zaczynający się od {country} ma tylko {count} znak; wpisano: {typed}.',
    few: 'IBAN zaczynający się od {country} ma tylko {count} znaki; wpisano: {typed}.',
    many: 'IBAN zaczynający się od {country} ma tylko {count} znaków; wpisano: {typed}.',
    other: 'IBAN zaczynający się od {country} ma tylko {count} znaku; wpisano: {typed}.',
  },
  'fault.iban.checkDigits': 'W\u00a0tym numerze IBAN jest literówka. Sprawdź każdy znak.',
  'fault.iban.character': 'IBAN zawiera tylko litery i\u00a0cyfry, a\u00a0nie {character}.',

  'fault.vpa': 'Identyfikator UPI ma postać {example}.',
  'fault.email': 'Adres e-mail ma postać {example}.',
  'fault.reference.digits': {
    one: 'Ten numer ma {count} cyfrę; wpisano: {typed}.',
    few: 'Ten numer ma {count} cyfry; wpisano: {typed}.',
    many: 'Ten numer ma {count} cyfr; wpisano: {typed}.',
    other: 'Ten numer ma {count} cyfry; wpisano: {typed}.',
  },
  'fault.reference.length': {
    one: 'Ten numer ma {count} znak; wpisano: {typed}.',
    few: 'Ten numer ma {count} znaki; wpisano: {typed}.',
    many: 'Ten numer ma {count} znaków; wpisano: {typed}.',
    other: 'Ten numer ma {count} znaku; wpisano: {typed}.',
  },
  'fault.reference.digitsOnly': 'Ten numer zawiera tylko cyfry, a\u00a0nie {character}.',
  'fault.reference.characters': 'Ten numer zawiera tylko litery i\u00a0cyfry, a\u00a0nie {character}.',
  'fault.reference.rtgs': 'Piąty znak tego numeru to R.',
  'fault.reference.start': 'Ten numer zaczyna się od {start}.',
  'fault.name': 'Imię i\u00a0nazwisko muszą zawierać litery.',

  // The payment exists and waits, at the institution, for a transfer, a reference or a confirmation.

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
  'code.openWallet': 'Otwórz portfel',
  'code.noApp':
    'Nie otworzyła się żadna aplikacja? Skopiuj kod i\u00a0wklej go w\u00a0aplikacji albo zeskanuj innym telefonem.',

  'wallet.network': 'Sieć',
  'wallet.only':
    'Wyślij tylko {currency} w sieci {network}. Innych monet ani innych sieci nie możemy zaksięgować.',
  'wallet.detected': 'Wykryto Twoją płatność. Potwierdzenie trwa kilka minut.',
  'wallet.confirmations': 'Potwierdzenia: {count} z {needed}',

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
  'partial.restOfCoins': 'Prześlij pozostałą kwotę {rest} na ten sam adres.',
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

  // How a payment goes on, and how it is taken to another device.
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

  // The end of a payment, with results, receipt and reasons; and the screens of errors.
  'paid.title': 'Zapłacono',
  'paid.text': 'Dziękujemy. Sklep został poinformowany.',
  'paid.late': 'Pieniądze dotarły po upływie czasu na płatność. Sklep został poinformowany.',
  'paid.different': 'Otrzymaliśmy {received} zamiast {amount}. Sklep został poinformowany.',
  'paid.contact': 'W\u00a0razie pytań skontaktuj się ze sklepem.',

  'refunded.title': 'Płatność zwrócona',
  'refunded.text': 'Zwrócono {refunded}. Pieniądze mogą dotrzeć na konto dopiero po kilku dniach.',
  'refunded.part': 'Zwrócono {refunded} z {amount}. Pieniądze mogą dotrzeć na konto dopiero po kilku dniach.',

  'receipt.title': 'Potwierdzenie płatności',
  'receipt.payee': 'Odbiorca',
  'receipt.amount': 'Kwota',
  'receipt.refunded': 'Zwrócono',
  'receipt.moment': 'Data i\u00a0godzina',
  'receipt.method': 'Metoda płatności',
  'receipt.reference': 'Numer płatności',
  'receipt.bankReference': 'Numer referencyjny banku',
  'receipt.shareTitle': 'Potwierdzenie płatności: {amount}',
  'receipt.shareText': 'Zapłacono {amount}, zamówienie {order}',

  'notPaid.title': 'Płatność nie została zrealizowana',
  'notPaid.noMoney': 'Nie pobrano żadnych środków.',
  'notPaid.returned': 'Mogą dotrzeć na konto dopiero po kilku dniach.',
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
    'Jeśli zamówienie nie zostało jeszcze opłacone, wróć do sklepu i\u00a0rozpocznij płatność od nowa.',
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
  'error.methodFixed': 'Ta metoda płatności jest teraz niedostępna',
  'error.methodFixedText':
    'Sklep wybrał ją dla tej płatności. Nie pobrano żadnych środków. Wróć do sklepu, aby zapłacić inaczej.',
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

  ...developer,
} as const satisfies Readonly<Record<keyof typeof en, Message>>
