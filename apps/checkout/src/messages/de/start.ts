import type { start as source } from '../en/start.ts'
import type { Message } from '../message.ts'

/** German: the frame of every screen, and the screens before the payment exists. */
export const start = {
  // Frame
  'frame.skip': 'Zum Inhalt springen',
  'frame.sandbox': 'SANDBOX – kein echtes Geld',
  'frame.orderNumber': 'Bestellnummer',
  'frame.changeLanguage': 'Sprache ändern',
  'frame.support': '{shop} kontaktieren',
  'frame.secured': 'Gesichert durch {operator}',
  'frame.trust':
    'Verschlüsselte Verbindung. Der Shop erfährt, dass Sie bezahlt haben, nie Ihre Zugangsdaten zur Bank.',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': '{amount} zahlen',
  'title.paid': '{amount} bezahlt',
  'title.notPaid': 'Nicht bezahlt',
  'title.inProgress': 'Zahlung in Bearbeitung',
  'title.faulty': 'Bitte prüfen: {title}',

  // Actions of many screens
  'common.change': 'Ändern',
  'common.close': 'Schließen',
  'common.copyWhat': 'Kopieren: {label}',
  'common.copied': 'Kopiert: {label}',
  'common.copiedShort': 'Kopiert',
  'common.copyFailed': 'Zum Kopieren gedrückt halten',
  'common.optional': 'optional',
  'common.printOrSave': 'Drucken oder speichern',
  'common.share': 'Teilen',
  'common.sending': 'Wird gesendet …',
  'common.stay': 'Hier bleiben',
  'common.stop': 'Anhalten',
  'common.tryAgain': 'Erneut versuchen',
  'common.tryNow': 'Jetzt versuchen',
  'common.returnTo': 'Zurück zu {host}',
  'common.cancelAndReturnTo': 'Abbrechen und zurück zu {host}',

  // Going on without a click
  'proceed.continuing': {
    one: 'In {count} Sekunde geht es automatisch weiter.',
    other: 'In {count} Sekunden geht es automatisch weiter.',
  },
  'proceed.returning': {
    one: 'In {count} Sekunde kehren Sie zum Shop zurück.',
    other: 'In {count} Sekunden kehren Sie zum Shop zurück.',
  },
  'proceed.retrying': {
    one: 'Neuer Versuch in {count} Sekunde.',
    other: 'Neuer Versuch in {count} Sekunden.',
  },

  // Leaving
  'leave.title': 'Ihre Zahlung ist noch nicht abgeschlossen. Seite verlassen?',
  'leave.text': 'Ihre Zahlung bleibt bis {moment} offen. Bis dahin können Sie auf diese Seite zurückkehren.',
  'leave.paid':
    'Falls Sie bereits bezahlt haben, zahlen Sie bitte nicht noch einmal: Wir informieren den Shop.',
  'leave.stay': 'Auf der Seite bleiben',
  'leave.go': 'Seite verlassen',

  // Methods and operators
  'choose.title': 'Wie möchten Sie zahlen?',
  'choose.bank': 'Wählen Sie Ihre Bank',
  'choose.wallet': 'Wählen Sie Ihre Wallet',
  'choose.searchBank': 'Bank suchen',
  'choose.searchWallet': 'Wallet suchen',
  'choose.searchHint': 'Name oder BIC',
  'choose.popular': 'Am häufigsten genutzt',
  'choose.otherBanks': 'Weitere Banken',
  'choose.otherWallets': 'Weitere Wallets',
  'choose.unavailable': 'Vorübergehend nicht verfügbar',
  'choose.closed': 'Zurzeit nicht verfügbar',
  'choose.limitReached': 'Tageslimit erreicht',
  'choose.limitReachedOf':
    'Das heutige Limit für {method} ist erreicht. Bitte wählen Sie eine andere Zahlungsart.',
  'choose.delayed': 'Zurzeit langsamer als üblich',
  'choose.bankNotListed': 'Meine Bank ist nicht aufgeführt',
  'choose.walletNotListed': 'Meine Wallet ist nicht aufgeführt',
  'choose.chooseAnotherWay': 'Andere Zahlungsart wählen',
  'choose.results': { one: '{count} Treffer', other: '{count} Treffer' },
  'choose.noResults': 'Nichts gefunden. Prüfen Sie die Schreibweise oder wählen Sie eine andere Zahlungsart.',
  'choose.suggestedUnavailable':
    'Die vorgeschlagene Zahlungsart ist für diesen Betrag nicht verfügbar. Bitte wählen Sie eine andere.',

  'method.BANK_TRANSFER': 'Überweisung',
  'method.ONLINE_BANKING': 'Onlinebanking',
  'method.WALLET': 'Wallet',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'Überweisung mit Referenz',
  'method.CRYPTO': 'Kryptowährung',

  'flow.REDIRECT': 'Sie geben die Zahlung bei Ihrer Bank oder in Ihrer Wallet frei.',
  'flow.INSTRUCTIONS': 'Sie übernehmen die Angaben in Ihre Banking-App.',
  'flow.QR': 'Sie scannen einen Code oder zahlen in einer App.',
  'flow.REFERENCE': 'Sie zahlen in der App Ihrer Bank und geben hier die Referenz ein.',

  'speed.INSTANT': 'Sofort',
  'speed.MINUTES': 'Minuten',
  'speed.HOURS': 'Stunden',
  'speed.DAYS': 'Einige Tage',

  // Details
  'details.title': 'Ihre Angaben',
  'details.providedBy': 'Angaben von {shop}',
  'details.providedByShop': 'Angaben des Shops',
  'details.pay': '{amount} zahlen',
  'details.showCode': 'QR-Code anzeigen',
  'details.showInstructions': 'Zahlungsdaten anzeigen',
  'details.continueTo': 'Weiter zu {operator}',
  'details.faults': {
    one: 'Bitte korrigieren Sie {count} Angabe',
    other: 'Bitte korrigieren Sie {count} Angaben',
  },

  // Confirmation
  'confirm.title': '{amount} mit {method} an {shop} zahlen',
  'confirm.titleShop': '{amount} mit {method} zahlen',
  'confirm.with': 'Mit {method} zahlen',
  'confirm.text': 'Erst mit dem Klick auf die Schaltfläche lösen Sie die Zahlung aus.',
} as const satisfies Record<keyof typeof source, Message>
