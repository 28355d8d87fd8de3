import type { results as english } from '../en/results.ts'
import type { Message } from '../message.ts'

/** In Czech: the end of a payment, with results, receipt and reasons; and the screens of errors. */
export const results = {
  'paid.title': 'Zaplaceno',
  'paid.text': 'Děkujeme. Obchod jsme informovali.',
  'paid.late': 'Vaše peníze dorazily až po uplynutí času na zaplacení. Obchod jsme informovali.',
  'paid.different': 'Přišlo {received} místo {amount}. Obchod jsme informovali.',
  'paid.contact': 'Máte-li dotazy, kontaktujte prosím obchod.',

  'receipt.title': 'Potvrzení o\u00a0platbě',
  'receipt.payee': 'Příjemce',
  'receipt.amount': 'Částka',
  'receipt.moment': 'Datum a\u00a0čas',
  'receipt.method': 'Způsob platby',
  'receipt.reference': 'Reference platby',
  'receipt.bankReference': 'ID transakce v\u00a0bance',
  'receipt.shareTitle': 'Potvrzení o\u00a0platbě: {amount}',
  'receipt.shareText': 'Zaplaceno {amount}, objednávka {order}',

  'notPaid.title': 'Platba nebyla dokončena',
  'notPaid.noMoney': 'Žádné peníze nebyly strženy.',
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
} as const satisfies Readonly<Record<keyof typeof english, Message>>
