import type { pay as source } from '../en/pay.ts'
import type { Message } from '../message.ts'

/**
 * German: the payment exists and waits: at the institution, for a transfer, for a reference, for a confirmation.
 * What the transfer carries is its Verwendungszweck; what the app shows after paying is the Referenz.
 */
export const pay = {
  // On the way to the institution
  'redirect.title': 'Weiter bei {operator}',
  'redirect.text':
    'Dort geben Sie die Zahlung von {amount} an {payee} frei. Danach kommen Sie automatisch hierher zurück.',
  'redirect.textShop':
    'Dort geben Sie die Zahlung von {amount} frei. Danach kommen Sie automatisch hierher zurück.',
  'redirect.go': 'Weiter zu {operator}',
  'redirect.opensApp': 'Öffnet die App, falls sie auf diesem Smartphone installiert ist.',
  'redirect.phone': 'Haben Sie die App auf dem Smartphone?',
  'redirect.phoneText': 'Scannen Sie diesen Code mit dem Smartphone, um dort fortzufahren.',
  'redirect.unavailable': '{operator} antwortet zurzeit nicht',
  'redirect.unavailableText': 'Es wurde nichts abgebucht.',

  'back.title': 'Bei {operator} noch nicht abgeschlossen',
  'back.text': 'Wir haben noch keine Freigabe von Ihnen erhalten.',
  'back.approved': 'Ich habe sie bereits freigegeben',

  // Instructions
  'code.label': 'QR-Code: {amount} an {payee}, Verwendungszweck {reference}',
  'code.lead': 'Scannen Sie den Code mit Ihrer App.',
  'code.leadApp': 'Öffnen Sie Ihre App oder scannen Sie den Code mit einem anderen Smartphone.',
  'code.leadWallet': 'Öffnen Sie Ihre Wallet oder scannen Sie den Code damit.',
  'code.enlarge': 'Vergrößern',
  'code.otherPhone': 'Mit einem anderen Smartphone scannen',
  'code.copyCode': 'Code kopieren',
  'code.copyHint': 'Kopieren Sie den Code und fügen Sie ihn in Ihrer App ein.',
  'code.paymentCode': 'Zahlungscode',
  'code.openApp': 'In der App öffnen',
  'code.noApp':
    'Hat sich keine App geöffnet? Kopieren Sie den Code und fügen Sie ihn in Ihrer App ein, oder scannen Sie ihn mit einem anderen Smartphone.',

  'transfer.title': 'Überweisen',
  'transfer.lead': 'Übernehmen Sie diese Angaben in Ihre Banking-App.',
  'transfer.leadScan': 'Scannen Sie den Code mit Ihrer Banking-App oder geben Sie die Angaben ein.',
  'transfer.leadApp': 'Öffnen Sie Ihre Banking-App oder übernehmen Sie diese Angaben dort.',
  'transfer.details': 'Zahlungsdaten',
  'transfer.payee': 'Empfänger',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'Kontonummer',
  'transfer.address': 'Adresse',
  'transfer.bank': 'Bank',
  'transfer.bankCode': 'Bankleitzahl/BIC',
  'transfer.bankTitle': 'Bank und Bankleitzahl',
  'transfer.amount': 'Betrag',
  'transfer.reference': 'Verwendungszweck',
  'transfer.referenceRule': 'Bitte genau so eingeben. Sonst kann Ihre Zahlung nicht zugeordnet werden.',
  'transfer.late': 'Geld, das später eintrifft, ist nicht verloren: Wir informieren den Shop.',
  'transfer.lateTitle': 'Was passiert, wenn ich zu spät zahle?',
  'transfer.save': 'Diese Angaben speichern',

  'deadline.payBefore': 'Zahlbar bis {moment}',
  'countdown.minutes': { one: 'Noch {count} Minute', other: 'Noch {count} Minuten' },
  'countdown.over': 'Die Zeit ist abgelaufen. Wir prüfen, ob Ihre Zahlung eingegangen ist.',

  'waitFor.title': 'Wir warten auf Ihre Zahlung …',
  'waitFor.text':
    'Diese Seite aktualisiert sich automatisch. Sie können sie schließen; wir informieren den Shop in jedem Fall.',
  'waitFor.textNoScript': 'Diese Seite wird alle 20 Sekunden neu geladen.',
  'waitFor.paid': 'Ich habe bezahlt',
  'waitFor.phone': 'Auf dem Smartphone fortfahren',
  'waitFor.phoneCode': 'QR-Code: diese Seite auf dem Smartphone',

  'partial.title': 'Ein Teil des Geldes ist eingegangen',
  'partial.text': 'Wir haben {received} von {amount} erhalten.',
  'partial.rest': 'Bitte überweisen Sie die restlichen {rest} mit demselben Verwendungszweck.',
  'partial.restLabel': 'Noch zu zahlen',

  // External reference
  'reference.title': 'Zahlungsreferenz eingeben',
  'reference.text':
    'Nach der Zahlung zeigt Ihre App eine Referenz an. Damit finden wir Ihre Zahlung leichter.',
  'reference.where': 'Wo finde ich sie?',
  'reference.whereApp': 'Öffnen Sie die Zahlung in Ihrer App. Die Referenz steht bei den Zahlungsdetails.',
  'reference.whereReceipt': 'Wenn Sie am Schalter bezahlt haben, steht sie auf Ihrem Beleg.',
  'reference.send': 'Referenz senden',
  'reference.cannotFind': 'Ich finde sie nicht',
  'reference.thanks': 'Vielen Dank. Wir suchen nach Ihrer Zahlung.',
  'reference.correct': 'Referenz korrigieren',
  'reference.refused': 'Diese Referenz wurde nicht angenommen. Bitte prüfen Sie sie.',

  // Waiting for a confirmation
  'waiting.title': 'Ihre Zahlung wird bestätigt',
  'waiting.timeline': 'Bisheriger Verlauf',
  'waiting.sent': 'Angaben gesendet',
  'waiting.referenceSent': 'Referenz gesendet',
  'waiting.confirming': 'Warten auf Bestätigung',
  'waiting.usual': 'Das dauert meist weniger als 2 Minuten. Bitte zahlen Sie nicht noch einmal.',
  'waiting.long': 'Das dauert länger als üblich. Bitte zahlen Sie nicht noch einmal.',
  'waiting.longText':
    'Sie können die Seite verlassen: Wir informieren den Shop, und dieser Link zeigt weiterhin das Ergebnis.',
  'waiting.review': 'Unser Team prüft Ihre Zahlung.',
  'waiting.copyLink': 'Link zu dieser Seite kopieren',
  'waiting.link': 'Link zu dieser Seite',

  'live.changed': 'Der Status Ihrer Zahlung hat sich geändert.',
  'live.show': 'Neuen Status anzeigen',
  'offline.text': 'Sie sind offline. Sobald Sie wieder verbunden sind, geht es weiter.',
  'offline.back': 'Sie sind wieder online.',
} as const satisfies Record<keyof typeof source, Message>
