import { developer } from './developer.ts'
import type { en } from './en.ts'
import type { Message } from './message.ts'

/** Czech. Has exactly the keys of the English one, or does not compile. */
export const cs = {
  // The frame of every screen, and the screens before the payment exists.

  // Frame
  'frame.skip': 'Přejít k\u00a0obsahu',
  'frame.sandbox': 'SANDBOX – žádné skutečné peníze',
  'frame.orderNumber': 'Číslo objednávky',
  'frame.changeLanguage': 'Změnit jazyk',
  'frame.support': 'Kontaktovat obchod {shop}',
  'frame.secured': 'Platbu zabezpečuje {operator}',
  'frame.trust':
    'Šifrované spojení. Obchod se dozví, že jste zaplatili, nikdy vaše přihlašovací údaje do banky.',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': 'Zaplatit {amount}',
  'title.paid': 'Zaplaceno {amount}',
  'title.notPaid': 'Nezaplaceno',
  'title.inProgress': 'Platba probíhá',
  'title.faulty': 'Zkontrolujte: {title}',

  // Actions of many screens
  'common.change': 'Změnit',
  'common.close': 'Zavřít',
  'common.copyWhat': 'Kopírovat: {label}',
  'common.copied': 'Zkopírováno: {label}',
  'common.copiedShort': 'Zkopírováno',
  'common.copyFailed': 'Zkopírujte dlouhým stisknutím',
  'common.optional': 'nepovinné',
  'common.printOrSave': 'Vytisknout nebo uložit',
  'common.share': 'Sdílet',
  'common.sending': 'Odesílání…',
  'common.stay': 'Zůstat zde',
  'common.stop': 'Zastavit',
  'common.tryAgain': 'Zkusit znovu',
  'common.tryNow': 'Zkusit hned',
  'common.returnTo': 'Zpět na {host}',
  'common.cancelAndReturnTo': 'Zrušit a\u00a0vrátit se na {host}',

  // Going on without a click
  'proceed.continuing': {
    one: 'Automaticky budete pokračovat za {count} sekundu.',
    few: 'Automaticky budete pokračovat za {count} sekundy.',
    many: 'Automaticky budete pokračovat za {count} sekundy.',
    other: 'Automaticky budete pokračovat za {count} sekund.',
  },
  'proceed.returning': {
    one: 'Návrat do obchodu za {count} sekundu.',
    few: 'Návrat do obchodu za {count} sekundy.',
    many: 'Návrat do obchodu za {count} sekundy.',
    other: 'Návrat do obchodu za {count} sekund.',
  },
  'proceed.retrying': {
    one: 'Zkusíme to znovu za {count} sekundu.',
    few: 'Zkusíme to znovu za {count} sekundy.',
    many: 'Zkusíme to znovu za {count} sekundy.',
    other: 'Zkusíme to znovu za {count} sekund.',
  },

  // Leaving
  'leave.title': 'Platba ještě není dokončená. Odejít z\u00a0této stránky?',
  'leave.text': 'Platba zůstává otevřená do {moment}. Do té doby se na tuto stránku můžete vrátit.',
  'leave.paid': 'Pokud jste už zaplatili, neplaťte znovu: obchod budeme informovat.',
  'leave.stay': 'Zůstat na stránce',
  'leave.go': 'Odejít ze stránky',

  // Methods and operators
  'choose.title': 'Jak chcete zaplatit?',
  'choose.bank': 'Vyberte svou banku',
  'choose.wallet': 'Vyberte svou peněženku',
  'choose.searchBank': 'Vyhledejte svou banku',
  'choose.searchWallet': 'Vyhledejte svou peněženku',
  'choose.searchHint': 'Název nebo BIC',
  'choose.popular': 'Nejpoužívanější',
  'choose.otherBanks': 'Další banky',
  'choose.otherWallets': 'Další peněženky',
  'choose.unavailable': 'Dočasně nedostupné',
  'choose.closed': 'Právě nedostupné',
  'choose.limitReached': 'Denní limit je vyčerpán',
  'choose.limitReachedOf': 'Dnešní limit pro tento způsob platby je vyčerpán: {method}. Vyberte prosím jiný.',
  'choose.delayed': 'Právě pomalejší než obvykle',
  'choose.bankNotListed': 'Moje banka tu není',
  'choose.walletNotListed': 'Moje peněženka tu není',
  'choose.chooseAnotherWay': 'Vybrat jiný způsob platby',
  'choose.results': {
    one: '{count} výsledek',
    few: '{count} výsledky',
    many: '{count} výsledku',
    other: '{count} výsledků',
  },
  'choose.noResults': 'Nic jsme nenašli. Zkontrolujte pravopis nebo vyberte jiný způsob platby.',
  'choose.suggestedUnavailable': 'Navržený způsob platby není pro tuto částku dostupný. Vyberte prosím jiný.',

  'method.BANK_TRANSFER': 'Bankovní převod',
  'method.ONLINE_BANKING': 'Internetové bankovnictví',
  'method.WALLET': 'Elektronická peněženka',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'Převod se zadáním ID transakce',
  'method.CRYPTO': 'Kryptoměna',

  'flow.REDIRECT': 'Platbu schválíte ve své bance nebo peněžence.',
  'flow.INSTRUCTIONS': 'Údaje zkopírujete do aplikace své banky.',
  'flow.QR': 'Naskenujete kód nebo zaplatíte v\u00a0aplikaci.',
  'flow.REFERENCE': 'Zaplatíte v\u00a0aplikaci své banky a\u00a0zde zadáte ID transakce.',

  'speed.INSTANT': 'Ihned',
  'speed.MINUTES': 'Minuty',
  'speed.HOURS': 'Hodiny',
  'speed.DAYS': 'Několik dní',

  // Details
  'details.title': 'Vaše údaje',
  'details.providedBy': 'Údaje předal obchod {shop}',
  'details.providedByShop': 'Údaje předal obchod',
  'details.pay': 'Zaplatit {amount}',
  'details.showCode': 'Zobrazit QR kód',
  'details.showInstructions': 'Zobrazit platební údaje',
  'details.continueTo': 'Pokračovat na stránku {operator}',
  'details.faults': {
    one: 'Opravte prosím {count} údaj',
    few: 'Opravte prosím {count} údaje',
    many: 'Opravte prosím {count} údaje',
    other: 'Opravte prosím {count} údajů',
  },

  // Confirmation
  'confirm.title': 'Zaplatit {amount} obchodu {shop} – {method}',
  'confirm.titleShop': 'Zaplatit {amount} – {method}',
  'confirm.with': 'Zaplatit – {method}',
  'confirm.text': 'Dokud nestisknete tlačítko, nic vám nestrhneme.',

  // What customers type in, its labels and hints, and what can be wrong with it.
  'field.accountName': 'Jméno majitele účtu',
  'field.accountName.hint': 'Tak, jak je uvedeno u\u00a0vašeho bankovního účtu.',
  'field.iban': 'IBAN',
  'field.iban.hint': 'Najdete ho v\u00a0aplikaci své banky. Začíná dvěma písmeny, např. {example}.',
  'field.accountNumber': 'Číslo účtu',
  'field.accountNumber.hint': 'Najdete ho v\u00a0aplikaci své banky nebo na výpisu.',
  'field.bankCode': 'Kód banky',
  'field.bankCode.hint': 'BIC, IFSC nebo sort code vaší banky.',
  'field.emailAddress': 'E-mail',
  'field.emailAddress.hint': 'Použijeme ho jen pro tuto platbu.',
  'field.vpa': 'UPI ID',
  'field.vpa.hint': 'Má tvar {example}.',
  'field.walletAccount': 'Účet v\u00a0peněžence',
  'field.walletAccount.hint': 'Telefon, e-mail nebo jméno, které v\u00a0peněžence používáte.',
  'field.address': 'Adresa vaší peněženky',
  'field.address.hint': 'Na tuto adresu v\u00a0případě potřeby pošleme peníze zpět.',
  'field.reference': 'ID transakce',
  'field.reference.hint': 'Je v\u00a0detailu platby ve vaší aplikaci nebo na potvrzení.',
  'field.rrn': 'ID transakce UPI (UTR)',
  'field.rrn.hint': '12 číslic, v\u00a0aplikaci jako „UPI transaction ID“ nebo „UTR“.',
  'field.neftUtr': 'UTR převodu NEFT',
  'field.neftUtr.hint': '16 písmen a\u00a0číslic, v\u00a0detailu převodu.',
  'field.rtgsUtr': 'UTR převodu RTGS',
  'field.rtgsUtr.hint': '22 písmen a\u00a0číslic; páté je R.',
  'field.endToEndId': 'ID transakce Pix (EndToEnd)',
  'field.endToEndId.hint': '32 znaků začínajících na E, na potvrzení (comprovante).',
  'field.transactionId': 'ID transakce',
  'field.transactionId.hint': 'Peněženka ho zobrazí po odeslání.',

  'fault.required': 'Tento údaj je povinný: {label}.',
  'fault.tooLong': {
    one: 'Povolen je nejvýše {count} znak; zadáno: {typed}.',
    few: 'Povoleny jsou nejvýše {count} znaky; zadáno: {typed}.',
    many: 'Povoleno je nejvýše {count} znaku; zadáno: {typed}.',
    other: 'Povoleno je nejvýše {count} znaků; zadáno: {typed}.',
  },
  'fault.characters': 'Tento znak zde není povolen: {character}',
  'fault.pattern': 'Tento údaj zřejmě není správně. Porovnejte ho prosím s\u00a0originálem.',

  'fault.iban.country': 'IBAN začíná dvoupísmenným kódem země; {country} to není.',
  'fault.iban.tooShort': {
    one: 'IBAN začínající na {country} má {count} znak; zadáno: {typed}.',
    few: 'IBAN začínající na {country} má {count} znaky; zadáno: {typed}.',
    many: 'IBAN začínající na {country} má {count} znaku; zadáno: {typed}.',
    other: 'IBAN začínající na {country} má {count} znaků; zadáno: {typed}.',
  },
  'fault.iban.tooLong': {
    one: 'IBAN začínající na {country} má jen {count} znak; zadáno: {typed}.',
    few: 'IBAN začínající na {country} má jen {count} znaky; zadáno: {typed}.',
    many: 'IBAN začínající na {country} má jen {count} znaku; zadáno: {typed}.',
    other: 'IBAN začínající na {country} má jen {count} znaků; zadáno: {typed}.',
  },
  'fault.iban.checkDigits': 'V\u00a0tomto IBAN je překlep. Zkontrolujte prosím každý znak.',
  'fault.iban.character': 'IBAN obsahuje jen písmena a\u00a0číslice, ne {character}.',

  'fault.vpa': 'UPI ID má tvar {example}.',
  'fault.email': 'E-mailová adresa má tvar {example}.',
  'fault.reference.digits': {
    one: 'Tento údaj má {count} číslici; zadáno: {typed}.',
    few: 'Tento údaj má {count} číslice; zadáno: {typed}.',
    many: 'Tento údaj má {count} číslice; zadáno: {typed}.',
    other: 'Tento údaj má {count} číslic; zadáno: {typed}.',
  },
  'fault.reference.length': {
    one: 'Tento údaj má {count} znak; zadáno: {typed}.',
    few: 'Tento údaj má {count} znaky; zadáno: {typed}.',
    many: 'Tento údaj má {count} znaku; zadáno: {typed}.',
    other: 'Tento údaj má {count} znaků; zadáno: {typed}.',
  },
  'fault.reference.digitsOnly': 'Tento údaj obsahuje jen číslice, ne {character}.',
  'fault.reference.characters': 'Tento údaj obsahuje jen písmena a\u00a0číslice, ne {character}.',
  'fault.reference.rtgs': 'Pátým znakem tohoto údaje je R.',
  'fault.reference.start': 'Tento údaj začíná na {start}.',
  'fault.name': 'Jméno musí obsahovat písmena.',

  // The payment exists and waits, at the institution, for a transfer, a reference or a confirmation.

  // On the way to the institution
  'redirect.title': 'Pokračujte na stránce {operator}',
  'redirect.text': 'Schvalte tam platbu {amount} pro obchod {payee}. Pak se sem automaticky vrátíte.',
  'redirect.textShop': 'Schvalte tam platbu {amount}. Pak se sem automaticky vrátíte.',
  'redirect.go': 'Pokračovat na stránku {operator}',
  'redirect.opensApp': 'Pokud máte v\u00a0tomto telefonu aplikaci, otevře se.',
  'redirect.phone': 'Máte aplikaci v\u00a0telefonu?',
  'redirect.phoneText': 'Naskenujte tento kód telefonem a\u00a0pokračujte v\u00a0něm.',
  'redirect.unavailable': '{operator} právě neodpovídá',
  'redirect.unavailableText': 'Nic vám nebylo strženo.',

  'back.title': 'Platba na stránce {operator} není dokončená',
  'back.text': 'Vaše schválení jsme zatím neobdrželi.',
  'back.approved': 'Platba už je schválená',

  // Instructions
  'code.label': 'QR kód: {amount}, příjemce {payee}, reference {reference}',
  'code.lead': 'Naskenujte kód svou aplikací.',
  'code.leadApp': 'Otevřete svou aplikaci, nebo kód naskenujte jiným telefonem.',
  'code.leadWallet': 'Otevřete svou peněženku, nebo jí naskenujte kód.',
  'code.enlarge': 'Zvětšit',
  'code.otherPhone': 'Naskenovat jiným telefonem',
  'code.copyCode': 'Kopírovat kód',
  'code.copyHint': 'Zkopírujte kód a\u00a0vložte ho do své aplikace.',
  'code.paymentCode': 'Platební kód',
  'code.openApp': 'Otevřít v\u00a0aplikaci',
  'code.openWallet': 'Otevřít peněženku',
  'code.noApp':
    'Neotevřela se žádná aplikace? Zkopírujte kód a\u00a0vložte ho do své aplikace, nebo ho naskenujte jiným telefonem.',

  'wallet.network': 'Síť',
  'wallet.only': 'Pošlete pouze {currency} v síti {network}. Jiné mince ani jiné sítě připsat nelze.',
  'wallet.detected': 'Vaše platba byla zaznamenána. Potvrzení trvá několik minut.',
  'wallet.confirmations': 'Potvrzení: {count} z {needed}',

  'transfer.title': 'Převod z\u00a0vaší banky',
  'transfer.lead': 'Zkopírujte tyto údaje do aplikace své banky.',
  'transfer.leadScan': 'Naskenujte kód aplikací své banky, nebo údaje zadejte.',
  'transfer.leadApp': 'Otevřete aplikaci své banky, nebo do ní tyto údaje zkopírujte.',
  'transfer.details': 'Platební údaje',
  'transfer.payee': 'Příjemce',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'Číslo účtu',
  'transfer.address': 'Adresa',
  'transfer.bank': 'Banka',
  'transfer.bankCode': 'Kód banky',
  'transfer.bankTitle': 'Banka a\u00a0kód banky',
  'transfer.amount': 'Částka',
  'transfer.reference': 'Variabilní symbol / reference',
  'transfer.referenceRule': 'Uveďte přesně takto. Jinak vaši platbu nelze dohledat.',
  'transfer.late': 'Peníze, které dorazí po této době, se neztratí: obchod budeme informovat.',
  'transfer.lateTitle': 'Co když zaplatím pozdě?',
  'transfer.save': 'Uložit tyto údaje',

  'deadline.payBefore': 'Zaplaťte do {moment}',
  'countdown.minutes': {
    one: 'Zbývá {count} minuta',
    few: 'Zbývají {count} minuty',
    many: 'Zbývá {count} minuty',
    other: 'Zbývá {count} minut',
  },
  'countdown.over': 'Čas vypršel. Ověřujeme, zda vaše platba dorazila.',

  'waitFor.title': 'Čekáme na vaši platbu…',
  'waitFor.text':
    'Stránka se aktualizuje automaticky. Můžete ji zavřít, obchod budeme informovat i\u00a0tak.',
  'waitFor.textNoScript': 'Tato stránka se znovu načítá každých 20\u00a0sekund.',
  'waitFor.paid': 'Už mám zaplaceno',
  'waitFor.phone': 'Pokračovat v\u00a0telefonu',
  'waitFor.phoneCode': 'QR kód: tato stránka ve vašem telefonu',

  'partial.title': 'Dorazila část peněz',
  'partial.text': 'Přišlo {received} z\u00a0částky {amount}.',
  'partial.rest': 'Doplaťte prosím {rest} se stejným variabilním symbolem nebo referencí.',
  'partial.restOfCoins': 'Doplaťte prosím {rest} na stejnou adresu.',
  'partial.restLabel': 'Zbývá zaplatit',

  // External reference
  'reference.title': 'Zadejte ID transakce',
  'reference.text': 'Po zaplacení aplikace zobrazí ID transakce. Pomůže nám vaši platbu najít.',
  'reference.where': 'Kde ho najdu?',
  'reference.whereApp': 'Otevřete platbu ve své aplikaci. ID transakce je v\u00a0jejím detailu.',
  'reference.whereReceipt': 'Při platbě na přepážce je na potvrzení.',
  'reference.send': 'Odeslat ID',
  'reference.cannotFind': 'Nemohu ho najít',
  'reference.thanks': 'Děkujeme. Vaši platbu hledáme.',
  'reference.correct': 'Opravit ID',
  'reference.refused': 'Toto ID nebylo přijato. Zkontrolujte ho prosím.',

  // Waiting for a confirmation
  'waiting.title': 'Vaše platba se potvrzuje',
  'waiting.timeline': 'Průběh platby',
  'waiting.sent': 'Údaje odeslány',
  'waiting.referenceSent': 'ID transakce odesláno',
  'waiting.confirming': 'Čekáme na potvrzení',
  'waiting.usual': 'Obvykle to trvá méně než 2 minuty. Neplaťte znovu.',
  'waiting.long': 'Trvá to déle než obvykle. Neplaťte znovu.',
  'waiting.longText':
    'Můžete odejít: obchod budeme informovat a\u00a0na tomto odkazu výsledek uvidíte i\u00a0později.',
  'waiting.review': 'Vaši platbu ověřuje náš tým.',
  'waiting.copyLink': 'Kopírovat odkaz na tuto stránku',
  'waiting.link': 'Odkaz na tuto stránku',

  'live.changed': 'Stav vaší platby se změnil.',
  'live.show': 'Zobrazit nový stav',
  'offline.text': 'Jste offline. Až se připojíte, budeme pokračovat.',
  'offline.back': 'Jste znovu online.',

  // How a payment goes on, and how it is taken to another device.
  'cookies.title': 'Váš prohlížeč blokuje cookies',
  'cookies.text':
    'Tato stránka potřebuje cookie, aby mohla sledovat vaši platbu. K\u00a0ničemu jinému neslouží.',
  'cookies.how':
    'Povolte cookies pro tuto stránku v\u00a0nastavení prohlížeče, nebo použijte jiný prohlížeč.',
  'cookies.app':
    'Pokud máte stránku otevřenou v\u00a0aplikaci, zvolte v\u00a0její nabídce „Otevřít v\u00a0prohlížeči“.',
  'phone.minutes': {
    one: 'Kód platí {count} minutu.',
    few: 'Kód platí {count} minuty.',
    many: 'Kód platí {count} minuty.',
    other: 'Kód platí {count} minut.',
  },
  'phone.over': 'Tento kód už neplatí',
  'phone.overText': 'Zobrazte kód na druhém zařízení znovu a\u00a0naskenujte ho ještě jednou.',
  'unavailable.text': 'Zkoušíme to dál. Pokud jste tam platbu už schválili, nemusíte dělat nic dalšího.',
  'unavailable.anyway': 'Přesto pokračovat na stránku {operator}',
  'partial.overTitle': 'Přišlo více, než je požadovaná částka',
  'partial.other': 'Přišlo {received} místo {amount}.',
  'partial.nothingMore': 'Nemusíte už nic platit.',
  'waiting.back': 'Návrat ze stránky {operator}',
  'waiting.notAgain': 'Neplaťte znovu.',
  'waiting.checked': 'Platbu ověřuje náš tým',
  'status.linkEnded': 'Platnost odkazu skončila. Stav platby zde ale můžete sledovat dál.',

  // The end of a payment, with results, receipt and reasons; and the screens of errors.
  'paid.title': 'Zaplaceno',
  'paid.text': 'Děkujeme. Obchod jsme informovali.',
  'paid.late': 'Vaše peníze dorazily až po uplynutí času na zaplacení. Obchod jsme informovali.',
  'paid.different': 'Přišlo {received} místo {amount}. Obchod jsme informovali.',
  'paid.contact': 'Máte-li dotazy, kontaktujte prosím obchod.',

  'refunded.title': 'Platba vrácena',
  'refunded.text': 'Částka {refunded} byla vrácena. Na váš účet může dorazit až za několik dní.',
  'refunded.part':
    'Z částky {amount} bylo vráceno {refunded}. Na váš účet mohou peníze dorazit až za několik dní.',

  'receipt.title': 'Potvrzení o\u00a0platbě',
  'receipt.payee': 'Příjemce',
  'receipt.amount': 'Částka',
  'receipt.refunded': 'Vráceno',
  'receipt.moment': 'Datum a\u00a0čas',
  'receipt.method': 'Způsob platby',
  'receipt.reference': 'Reference platby',
  'receipt.bankReference': 'ID transakce v\u00a0bance',
  'receipt.shareTitle': 'Potvrzení o\u00a0platbě: {amount}',
  'receipt.shareText': 'Zaplaceno {amount}, objednávka {order}',

  'notPaid.title': 'Platba nebyla dokončena',
  'notPaid.noMoney': 'Žádné peníze nebyly strženy.',
  'notPaid.returned': 'Na váš účet mohou dorazit až za několik dní.',
  'notPaid.perhaps': {
    one: 'Pokud peníze odešly z\u00a0vašeho účtu, vrátí se do {count} dne. Reference: {reference}',
    few: 'Pokud peníze odešly z\u00a0vašeho účtu, vrátí se do {count} dnů. Reference: {reference}',
    many: 'Pokud peníze odešly z\u00a0vašeho účtu, vrátí se do {count} dne. Reference: {reference}',
    other: 'Pokud peníze odešly z\u00a0vašeho účtu, vrátí se do {count} dnů. Reference: {reference}',
  },
  'notPaid.support': 'Údaje pro podporu',
  'notPaid.code': 'Kód',

  'cancelled.title': 'Platba byla zrušena',

  'expired.title': 'Čas na zaplacení vypršel',
  'expired.text': 'Do konce lhůty nic nedorazilo. V\u00a0obchodě můžete začít znovu.',
  'expired.paid': 'Už mám zaplaceno',
  'expired.paidText': 'Neplaťte dvakrát. Zadejte ID transakce, abychom vaši platbu našli.',
  'expired.paidWait': 'Neplaťte dvakrát. Jakmile peníze dorazí, budeme obchod informovat.',
  'expired.enterReference': 'Zadat ID transakce',

  'reversed.title': 'Peníze vráceny',
  'reversed.text': 'Částka {amount} byla vrácena. Na váš účet může dorazit až za několik dní.',

  'status.newLink': 'Požádejte obchod o\u00a0nový odkaz.',

  // Why a payment failed
  'reason.funds': 'Podle vaší banky není na tomto účtu dost peněz.',
  'reason.declined': 'Vaše banka platbu neschválila.',
  'reason.authentication': 'Schválení ve vaší aplikaci se nezdařilo.',
  'reason.cancelled': 'Platba byla ve vaší bance zrušena.',
  'reason.bankDown': 'Vaše banka teď není dostupná. Zkuste jinou banku.',
  'reason.limit': 'Částka překračuje limit vašeho účtu nebo tohoto způsobu platby.',
  'reason.account': 'Tento účet nelze pro tuto platbu použít.',
  'reason.timeout': 'Schválení nepřišlo včas.',
  'reason.returned': 'Peníze vám byly poslány zpět.',
  'reason.unknown': 'Platbu se nepodařilo dokončit.',
  'action.askBank': 'Důvod vám sdělí vaše banka.',

  // Screens of errors
  'error.code': 'Kód chyby',
  'error.linkInvalid': 'Tento platební odkaz už neplatí',
  'error.linkInvalidText':
    'Z\u00a0bezpečnostních důvodů platí odkazy jen omezenou dobu. Otevřením odkazu vám nebylo nic strženo.',
  'error.linkInvalidAction': 'Pokud jste ještě neplatili, vraťte se do obchodu a\u00a0začněte platbu znovu.',
  'error.linkIncomplete': 'Tento platební odkaz není úplný',
  'error.linkIncompleteText': 'Nic vám nebylo strženo. Vraťte se do obchodu a\u00a0začněte platbu znovu.',
  'error.shopDetails': 'Obchod poslal neúplné údaje',
  'error.shopDetailsText': 'Nic vám nebylo strženo. Kontaktujte prosím obchod.',
  'error.returnAddress': 'Návratová adresa obchodu není registrovaná',
  'error.returnAddressText': 'Z\u00a0bezpečnostních důvodů nemůžeme pokračovat. Nic vám nebylo strženo.',
  'error.unknownPayment': 'Tuto platbu nemůžeme najít',
  'error.unknownPaymentText': 'Možná nebyla zahájena.',
  'error.noOptions': 'Tuto částku zde nelze zaplatit',
  'error.noOptionsText': 'Částku {amount} nelze zaplatit žádným způsobem, který tento obchod nabízí.',
  'error.methodFixed': 'Tento způsob platby teď není dostupný',
  'error.methodFixedText':
    'Pro tuto platbu jej určil obchod. Nic vám nebylo strženo. Vraťte se do obchodu a\u00a0zaplaťte jinak.',
  'error.unreachable': 'Platební služba není dostupná',
  'error.unreachableText': 'Nic vám nebylo strženo. Vaše údaje uchováme a\u00a0zkusíme to znovu.',
  'error.unreachableUnsure': 'Neplaťte znovu. Vaše údaje uchováme a\u00a0zjistíme, jak platba dopadla.',
  'error.busy': 'Právě probíhá velmi mnoho plateb',
  'error.busyText': 'Nic vám nebylo strženo. Za chvíli to zkusíme znovu.',
  'error.limited': 'Chvíli prosím počkejte',
  'error.limitedText': 'Z\u00a0vašeho připojení přišlo příliš mnoho požadavků. Na vaši platbu to nemá vliv.',
  'error.unexpected': 'Na naší straně se něco pokazilo',
  'error.unexpectedText': 'Zkuste to prosím znovu. Pokud se to bude opakovat, sdělte obchodu tento kód.',
  'error.forbidden': 'Tento formulář nebyl odeslán z\u00a0naší stránky',
  'error.forbiddenText':
    'Z\u00a0bezpečnostních důvodů jsme ho nezpracovali. Otevřete platbu znovu z\u00a0obchodu.',
  'error.notFound': 'Stránka nenalezena',
  'error.notFoundText': 'Použijte odkaz, který vám dal obchod.',

  ...developer,
} as const satisfies Readonly<Record<keyof typeof en, Message>>
