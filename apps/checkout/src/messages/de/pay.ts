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
  'redirect.phoneCode': 'QR-Code: auf dem Smartphone weiter bei {operator}',
  'redirect.unavailable': '{operator} antwortet zurzeit nicht',
  'redirect.unavailableText': 'Es wurde nichts abgebucht.',
  'redirect.otherOperator': 'Andere Bank oder Wallet wählen',

  'back.title': 'Bei {operator} noch nicht abgeschlossen',
  'back.text': 'Wir haben noch keine Freigabe von Ihnen erhalten.',
  'back.approved': 'Ich habe sie bereits freigegeben',

  // Instructions
  'code.title': 'Scannen und {amount} zahlen',
  'code.label': 'QR-Code: {amount} an {payee}, Verwendungszweck {reference}',
  'code.enlarge': 'Vergrößern',
  'code.steps': 'So bezahlen Sie',
  'code.step1': 'Öffnen Sie Ihre Banking-App.',
  'code.step2': 'Scannen Sie den Code.',
  'code.step3': 'Geben Sie die Zahlung frei.',
  'code.byHand': 'Oder manuell eingeben',
  'code.otherPhone': 'Mit einem anderen Smartphone scannen',
  'code.copyCode': 'Code kopieren',
  'code.copyHint': 'Kopieren Sie den Code und fügen Sie ihn in Ihrer App ein.',
  'code.paymentCode': 'Zahlungscode',
  'code.openApp': 'In der App öffnen',
  'code.openAppNamed': '{app} öffnen',
  'code.noApp':
    'Hat sich keine App geöffnet? Kopieren Sie den Code und fügen Sie ihn in Ihrer App ein, oder scannen Sie ihn mit einem anderen Smartphone.',
  'code.outOfDate': 'Dieser Code ist abgelaufen.',
  'code.renew': 'Neuen Code anfordern',

  'transfer.title': '{amount} überweisen',
  'transfer.text': 'Überweisen Sie mit genau diesen Angaben.',
  'transfer.details': 'Zahlungsdaten',
  'transfer.payee': 'Empfänger',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'Kontonummer',
  'transfer.vpa': 'UPI-ID',
  'transfer.address': 'Adresse',
  'transfer.bank': 'Bank',
  'transfer.bankCode': 'Bankleitzahl/BIC',
  'transfer.bic': 'BIC',
  'transfer.branch': 'Filiale',
  'transfer.amount': 'Betrag',
  'transfer.reference': 'Verwendungszweck',
  'transfer.message': 'Nachricht',
  'transfer.referenceRule': 'Bitte genau so eingeben. Sonst kann Ihre Zahlung nicht zugeordnet werden.',
  'transfer.duration': 'Eine Überweisung kann bis zum {date} dauern.',
  'transfer.late': 'Geld, das später eintrifft, ist nicht verloren: Wir informieren den Shop.',
  'transfer.save': 'Diese Angaben speichern',

  'deadline.payBefore': 'Zahlbar bis {moment}',
  'countdown.minutes': { one: 'Noch {count} Minute', other: 'Noch {count} Minuten' },
  'countdown.over': 'Die Zeit ist abgelaufen. Wir prüfen, ob Ihre Zahlung eingegangen ist.',

  'waitFor.title': 'Wir warten auf Ihre Zahlung …',
  'waitFor.text':
    'Diese Seite aktualisiert sich automatisch. Sie können sie schließen; wir informieren den Shop in jedem Fall.',
  'waitFor.textNoScript': 'Diese Seite wird alle 20 Sekunden neu geladen.',
  'waitFor.paid': 'Ich habe bezahlt',
  'waitFor.email': 'Per E-Mail an mich senden',
  'waitFor.phone': 'Auf dem Smartphone fortfahren',
  'waitFor.phoneCode': 'QR-Code: diese Seite auf dem Smartphone',
  'waitFor.more': 'Weitere Möglichkeiten',

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
  'reference.yours': 'Ihre Referenz',
  'reference.correct': 'Referenz korrigieren',
  'reference.duplicate':
    'Diese Referenz wurde bereits verwendet. Prüfen Sie sie oder kontaktieren Sie den Shop.',
  'reference.refused': 'Diese Referenz wurde nicht angenommen. Bitte prüfen Sie sie.',
  'reference.tooLate': 'Diese Zahlung ist beendet. Eine Referenz wird nicht mehr angenommen.',

  // Waiting for a confirmation
  'waiting.title': 'Ihre Zahlung wird bestätigt',
  'waiting.timeline': 'Bisheriger Verlauf',
  'waiting.sent': 'Angaben gesendet',
  'waiting.approved': 'Zahlung freigegeben',
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
