import { developer } from './developer.ts'
import type { en } from './en.ts'
import type { Message } from './message.ts'

/** German. Has exactly the keys of the English one, or does not compile. */
export const de = {
  // The frame of every screen, and the screens before the payment exists.

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

  // What customers type in: labels, hints, and what can be wrong with it.
  'field.accountName': 'Name des Kontoinhabers',
  'field.accountName.hint': 'So, wie er bei Ihrem Bankkonto hinterlegt ist.',
  'field.iban': 'IBAN',
  'field.iban.hint': 'Sie steht in Ihrer Banking-App und beginnt mit zwei Buchstaben, z.\u202fB. {example}.',
  'field.accountNumber': 'Kontonummer',
  'field.accountNumber.hint': 'Sie steht in Ihrer Banking-App oder auf einem Kontoauszug.',
  'field.bankCode': 'Bankleitzahl/BIC',
  'field.bankCode.hint': 'BIC, IFSC oder Bankleitzahl Ihrer Bank.',
  'field.emailAddress': 'E-Mail-Adresse',
  'field.emailAddress.hint': 'Wir verwenden sie nur für diese Zahlung.',
  'field.vpa': 'UPI-ID',
  'field.vpa.hint': 'Sie sieht so aus: {example}.',
  'field.walletAccount': 'Wallet-Konto',
  'field.walletAccount.hint': 'Telefonnummer, E-Mail-Adresse oder Name Ihres Wallet-Kontos.',
  'field.address': 'Adresse Ihrer Wallet',
  'field.address.hint': 'Falls eine Rückzahlung nötig ist, senden wir sie an diese Adresse.',
  'field.reference': 'Zahlungsreferenz',
  'field.reference.hint': 'Sie steht in den Zahlungsdetails Ihrer App oder auf dem Beleg.',
  'field.rrn': 'UPI-Transaktions-ID (UTR)',
  'field.rrn.hint': '12 Ziffern, in Ihrer App unter „UPI transaction ID“ oder „UTR“.',
  'field.neftUtr': 'UTR der NEFT-Überweisung',
  'field.neftUtr.hint': '16 Buchstaben und Ziffern, in den Details der Überweisung.',
  'field.rtgsUtr': 'UTR der RTGS-Überweisung',
  'field.rtgsUtr.hint': '22 Buchstaben und Ziffern; das fünfte Zeichen ist ein R.',
  'field.endToEndId': 'Pix-Transaktions-ID',
  'field.endToEndId.hint': '32 Zeichen, beginnend mit E, auf dem Beleg (comprovante).',
  'field.transactionId': 'Transaktions-ID',
  'field.transactionId.hint': 'Ihre Wallet zeigt sie nach dem Senden an.',

  'fault.required': 'Bitte ausfüllen: {label}.',
  'fault.tooLong': {
    one: 'Höchstens {count} Zeichen ist erlaubt; Sie haben {typed} eingegeben.',
    other: 'Höchstens {count} Zeichen sind erlaubt; Sie haben {typed} eingegeben.',
  },
  'fault.characters': 'Dieses Zeichen ist hier nicht erlaubt: {character}',
  'fault.pattern': 'Diese Eingabe scheint nicht zu stimmen. Bitte vergleichen Sie sie mit dem Original.',

  'fault.iban.country': 'Eine IBAN beginnt mit einem Ländercode aus zwei Buchstaben; {country} ist keiner.',
  'fault.iban.tooShort': {
    one: 'Eine IBAN, die mit {country} beginnt, hat {count} Zeichen; Sie haben {typed} eingegeben.',
    other: 'Eine IBAN, die mit {country} beginnt, hat {count} Zeichen; Sie haben {typed} eingegeben.',
  },
  'fault.iban.tooLong': {
    one: 'Eine IBAN, die mit {country} beginnt, hat nur {count} Zeichen; Sie haben {typed} eingegeben.',
    other: 'Eine IBAN, die mit {country} beginnt, hat nur {count} Zeichen; Sie haben {typed} eingegeben.',
  },
  'fault.iban.checkDigits': 'Diese IBAN enthält einen Tippfehler. Bitte prüfen Sie jede Stelle.',
  'fault.iban.character': 'Eine IBAN enthält nur Buchstaben und Ziffern, nicht {character}.',

  'fault.vpa': 'Eine UPI-ID sieht so aus: {example}.',
  'fault.email': 'Eine E-Mail-Adresse sieht so aus: {example}.',
  'fault.reference.digits': {
    one: 'Diese Referenz hat {count} Ziffer; Sie haben {typed} eingegeben.',
    other: 'Diese Referenz hat {count} Ziffern; Sie haben {typed} eingegeben.',
  },
  'fault.reference.length': {
    one: 'Diese Referenz hat {count} Zeichen; Sie haben {typed} eingegeben.',
    other: 'Diese Referenz hat {count} Zeichen; Sie haben {typed} eingegeben.',
  },
  'fault.reference.digitsOnly': 'Diese Referenz enthält nur Ziffern, nicht {character}.',
  'fault.reference.characters': 'Diese Referenz enthält nur Buchstaben und Ziffern, nicht {character}.',
  'fault.reference.rtgs': 'Das fünfte Zeichen dieser Referenz ist ein R.',
  'fault.reference.start': 'Diese Referenz beginnt mit {start}.',
  'fault.name': 'Der Name muss Buchstaben enthalten.',

  // The payment exists and waits: at the institution, for a transfer, for a reference, for a confirmation.
  // What the transfer carries is its Verwendungszweck; what the app shows after paying is the Referenz.

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
  'code.openWallet': 'Wallet öffnen',
  'code.noApp':
    'Hat sich keine App geöffnet? Kopieren Sie den Code und fügen Sie ihn in Ihrer App ein, oder scannen Sie ihn mit einem anderen Smartphone.',

  'wallet.network': 'Netzwerk',
  'wallet.only':
    'Senden Sie nur {currency} über {network}. Andere Coins oder andere Netzwerke können nicht gutgeschrieben werden.',
  'wallet.detected': 'Ihre Zahlung wurde erkannt. Die Bestätigung dauert einige Minuten.',
  'wallet.confirmations': 'Bestätigungen: {count} von {needed}',

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
  'partial.restOfCoins': 'Bitte senden Sie die restlichen {rest} an dieselbe Adresse.',
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

  // How a payment goes on, and how it is taken to another device.
  'cookies.title': 'Ihr Browser blockiert Cookies',
  'cookies.text': 'Diese Seite benötigt ein Cookie, um Ihre Zahlung zuzuordnen. Es wird nur dafür verwendet.',
  'cookies.how':
    'Erlauben Sie Cookies für diese Seite in den Einstellungen Ihres Browsers oder verwenden Sie einen anderen Browser.',
  'cookies.app':
    'Wenn Sie diese Seite in einer App geöffnet haben, wählen Sie in deren Menü „Im Browser öffnen“.',
  'phone.minutes': {
    one: 'Der Code ist {count} Minute gültig.',
    other: 'Der Code ist {count} Minuten gültig.',
  },
  'phone.over': 'Dieser Code ist abgelaufen',
  'phone.overText': 'Rufen Sie den Code auf dem anderen Gerät neu auf und scannen Sie ihn noch einmal.',
  'unavailable.text':
    'Wir versuchen es weiter. Wenn Sie die Zahlung dort bereits freigegeben haben, müssen Sie nichts mehr tun.',
  'unavailable.anyway': 'Trotzdem weiter zu {operator}',
  'partial.overTitle': 'Wir haben mehr als den geforderten Betrag erhalten',
  'partial.other': 'Wir haben {received} statt {amount} erhalten.',
  'partial.nothingMore': 'Sie müssen nichts mehr zahlen.',
  'waiting.back': 'Zurück von {operator}',
  'waiting.notAgain': 'Bitte zahlen Sie nicht noch einmal.',
  'waiting.checked': 'Unser Team prüft die Zahlung',
  'status.linkEnded': 'Ihr Link ist abgelaufen. Den Status Ihrer Zahlung sehen Sie hier weiterhin.',

  // The end of a payment: results, receipt, reasons; and the screens of errors.
  'paid.title': 'Bezahlt',
  'paid.text': 'Vielen Dank. Der Shop wurde informiert.',
  'paid.late': 'Ihr Geld ist nach Ablauf der Zahlungsfrist eingegangen. Der Shop wurde informiert.',
  'paid.different': 'Wir haben {received} statt {amount} erhalten. Der Shop wurde informiert.',
  'paid.contact': 'Bei Fragen wenden Sie sich bitte an den Shop.',

  'refunded.title': 'Betrag erstattet',
  'refunded.text':
    '{refunded} wurden erstattet. Bis das Geld auf Ihrem Konto ist, kann es einige Tage dauern.',
  'refunded.part':
    '{refunded} von {amount} wurden erstattet. Bis das Geld auf Ihrem Konto ist, kann es einige Tage dauern.',

  'receipt.title': 'Zahlungsbeleg',
  'receipt.payee': 'Gezahlt an',
  'receipt.amount': 'Betrag',
  'receipt.refunded': 'Erstattet',
  'receipt.moment': 'Datum und Uhrzeit',
  'receipt.method': 'Zahlungsart',
  'receipt.reference': 'Zahlungsreferenz',
  'receipt.bankReference': 'Referenz der Bank',
  'receipt.shareTitle': 'Zahlungsbeleg: {amount}',
  'receipt.shareText': '{amount} bezahlt, Bestellung {order}',

  'notPaid.title': 'Zahlung nicht abgeschlossen',
  'notPaid.noMoney': 'Es wurde kein Geld abgebucht.',
  'notPaid.returned': 'Bis das Geld auf Ihrem Konto ist, kann es einige Tage dauern.',
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
  'error.methodFixed': 'Diese Zahlungsart ist zurzeit nicht verfügbar',
  'error.methodFixedText':
    'Der Shop hat sie für diese Zahlung festgelegt. Es wurde nichts abgebucht. Gehen Sie zurück zum Shop, um anders zu bezahlen.',
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

  ...developer,
} as const satisfies Readonly<Record<keyof typeof en, Message>>
