import type { fields as source } from '../en/fields.ts'
import type { Message } from '../message.ts'

/** German: what customers type in: labels, hints, and what can be wrong with it. */
export const fields = {
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
} as const satisfies Record<keyof typeof source, Message>
