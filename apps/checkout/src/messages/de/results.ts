import type { results as source } from '../en/results.ts'
import type { Message } from '../message.ts'

/** German: the end of a payment: results, receipt, reasons; and the screens of errors. */
export const results = {
  'paid.title': 'Bezahlt',
  'paid.text': 'Vielen Dank. Der Shop wurde informiert.',
  'paid.late': 'Ihr Geld ist nach Ablauf der Zahlungsfrist eingegangen. Der Shop wurde informiert.',
  'paid.different': 'Wir haben {received} statt {amount} erhalten. Der Shop wurde informiert.',
  'paid.contact': 'Bei Fragen wenden Sie sich bitte an den Shop.',

  'receipt.title': 'Zahlungsbeleg',
  'receipt.payee': 'Gezahlt an',
  'receipt.amount': 'Betrag',
  'receipt.moment': 'Datum und Uhrzeit',
  'receipt.method': 'Zahlungsart',
  'receipt.reference': 'Zahlungsreferenz',
  'receipt.bankReference': 'Referenz der Bank',
  'receipt.shareTitle': 'Zahlungsbeleg: {amount}',
  'receipt.shareText': '{amount} bezahlt, Bestellung {order}',

  'notPaid.title': 'Zahlung nicht abgeschlossen',
  'notPaid.noMoney': 'Es wurde kein Geld abgebucht.',
  'notPaid.perhaps': {
    one: 'Falls Geld von Ihrem Konto abgegangen ist, kommt es innerhalb von {count} Tag zurück. Referenz: {reference}',
    other:
      'Falls Geld von Ihrem Konto abgegangen ist, kommt es innerhalb von {count} Tagen zurück. Referenz: {reference}',
  },
  'notPaid.support': 'Angaben für den Support',
  'notPaid.code': 'Fehlercode',

  'cancelled.title': 'Die Zahlung wurde abgebrochen',

  'expired.title': 'Die Zahlungsfrist ist abgelaufen',
  'expired.text': 'Bis zum Ablauf ist nichts eingegangen. Sie können im Shop neu beginnen.',
  'expired.paid': 'Ich habe bereits bezahlt',
  'expired.paidText':
    'Bitte zahlen Sie nicht doppelt. Geben Sie die Referenz Ihrer Zahlung ein, damit wir sie finden.',
  'expired.paidWait': 'Bitte zahlen Sie nicht doppelt. Sobald Ihr Geld eintrifft, informieren wir den Shop.',
  'expired.enterReference': 'Referenz eingeben',

  'reversed.title': 'Betrag zurückgezahlt',
  'reversed.text':
    'Der Betrag von {amount} wurde zurückgezahlt. Bis zur Gutschrift auf Ihrem Konto kann es einige Tage dauern.',

  'status.newLink': 'Bitten Sie den Shop um einen neuen Link.',

  // Why a payment failed
  'reason.funds': 'Laut Ihrer Bank ist das Konto nicht ausreichend gedeckt.',
  'reason.declined': 'Ihre Bank hat die Zahlung abgelehnt.',
  'reason.authentication': 'Die Freigabe in Ihrer App ist fehlgeschlagen.',
  'reason.cancelled': 'Die Zahlung wurde bei Ihrer Bank abgebrochen.',
  'reason.bankDown': 'Ihre Bank ist zurzeit nicht erreichbar. Versuchen Sie es mit einer anderen Bank.',
  'reason.limit': 'Der Betrag überschreitet das Limit Ihres Kontos oder dieser Zahlungsart.',
  'reason.account': 'Dieses Konto kann für diese Zahlung nicht verwendet werden.',
  'reason.timeout': 'Die Freigabe ist nicht rechtzeitig erfolgt.',
  'reason.returned': 'Das Geld wurde an Sie zurücküberwiesen.',
  'reason.unknown': 'Die Zahlung konnte nicht abgeschlossen werden.',
  'action.askBank': 'Ihre Bank kann Ihnen den Grund nennen.',

  // Screens of errors
  'error.code': 'Fehlercode',
  'error.linkInvalid': 'Dieser Zahlungslink ist nicht mehr gültig',
  'error.linkInvalidText':
    'Zu Ihrer Sicherheit sind Zahlungslinks nur für begrenzte Zeit gültig. Durch das Öffnen wurde nichts abgebucht.',
  'error.linkInvalidAction':
    'Falls Sie noch nicht bezahlt haben, gehen Sie zurück zum Shop und starten Sie die Zahlung erneut.',
  'error.linkIncomplete': 'Dieser Zahlungslink ist unvollständig',
  'error.linkIncompleteText':
    'Es wurde nichts abgebucht. Gehen Sie zurück zum Shop und starten Sie die Zahlung erneut.',
  'error.shopDetails': 'Der Shop hat unvollständige Angaben gesendet',
  'error.shopDetailsText': 'Es wurde nichts abgebucht. Bitte kontaktieren Sie den Shop.',
  'error.returnAddress': 'Die Rücksprungadresse des Shops ist nicht registriert',
  'error.returnAddressText': 'Zu Ihrer Sicherheit können wir nicht fortfahren. Es wurde nichts abgebucht.',
  'error.unknownPayment': 'Wir können diese Zahlung nicht finden',
  'error.unknownPaymentText': 'Möglicherweise wurde sie nicht begonnen.',
  'error.noOptions': 'Dieser Betrag kann hier nicht gezahlt werden',
  'error.noOptionsText': 'Für {amount} bietet dieser Shop keine Zahlungsart an.',
  'error.unreachable': 'Der Zahlungsdienst ist nicht erreichbar',
  'error.unreachableText':
    'Es wurde nichts abgebucht. Ihre Angaben bleiben erhalten, und wir versuchen es erneut.',
  'error.unreachableUnsure':
    'Bitte zahlen Sie nicht noch einmal. Ihre Angaben bleiben erhalten, und wir prüfen den Status Ihrer Zahlung.',
  'error.busy': 'Zurzeit gehen sehr viele Zahlungen ein',
  'error.busyText': 'Es wurde nichts abgebucht. Wir versuchen es gleich noch einmal.',
  'error.limited': 'Bitte warten Sie einen Moment',
  'error.limitedText': 'Von Ihrem Anschluss kamen zu viele Anfragen. Ihre Zahlung ist davon nicht betroffen.',
  'error.unexpected': 'Bei uns ist etwas schiefgegangen',
  'error.unexpectedText':
    'Bitte versuchen Sie es erneut. Wenn es wieder passiert, nennen Sie dem Shop diesen Code.',
  'error.forbidden': 'Dieses Formular wurde nicht von unserer Seite gesendet',
  'error.forbiddenText':
    'Zu Ihrer Sicherheit haben wir es nicht verarbeitet. Öffnen Sie die Zahlung noch einmal über den Shop.',
  'error.notFound': 'Seite nicht gefunden',
  'error.notFoundText': 'Verwenden Sie den Link, den Sie vom Shop erhalten haben.',
} as const satisfies Record<keyof typeof source, Message>
