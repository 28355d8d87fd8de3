import type { start as english } from '../en/start.ts'
import type { Message } from '../message.ts'

/** In Czech: the frame of every screen, and the screens before the payment exists. */
export const start = {
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
} as const satisfies Readonly<Record<keyof typeof english, Message>>
