import type { pay as english } from '../en/pay.ts'
import type { Message } from '../message.ts'

/** In Czech: the payment exists and waits, at the institution, for a transfer, a reference or a confirmation. */
export const pay = {
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
  'code.noApp':
    'Neotevřela se žádná aplikace? Zkopírujte kód a\u00a0vložte ho do své aplikace, nebo ho naskenujte jiným telefonem.',

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
} as const satisfies Readonly<Record<keyof typeof english, Message>>
