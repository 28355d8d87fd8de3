import type { fields as source } from '../en/fields.ts'
import type { Message } from '../message.ts'

/** French: what customers type in: labels, hints, and what can be wrong with it. */
export const fields = {
  'field.accountName': 'Nom du titulaire du compte',
  'field.accountName.hint': 'Tel qu’il figure sur votre compte bancaire.',
  'field.iban': 'IBAN',
  'field.iban.hint':
    'Il figure dans votre application bancaire ou sur votre RIB. Il commence par deux lettres, par ex. {example}.',
  'field.accountNumber': 'Numéro de compte',
  'field.accountNumber.hint': 'Il figure dans votre application bancaire ou sur un relevé de compte.',
  'field.bankCode': 'Code banque',
  'field.bankCode.hint': 'BIC, IFSC ou sort code de votre banque.',
  'field.emailAddress': 'Adresse e-mail',
  'field.emailAddress.hint': 'Nous l’utilisons uniquement pour ce paiement.',
  'field.vpa': 'Identifiant UPI',
  'field.vpa.hint': 'Il ressemble à {example}.',
  'field.walletAccount': 'Compte du portefeuille',
  'field.walletAccount.hint': 'Le numéro de téléphone, l’e-mail ou le nom associé à votre portefeuille.',
  'field.address': 'Adresse de votre portefeuille',
  'field.address.hint': 'En cas de remboursement, nous envoyons l’argent à cette adresse.',
  'field.reference': 'Référence du paiement',
  'field.reference.hint': 'Elle figure dans le détail du paiement dans votre application, ou sur le reçu.',
  'field.rrn': 'Identifiant de transaction UPI (UTR)',
  'field.rrn.hint':
    '12 chiffres, dans votre application sous «\u202fUPI transaction ID\u202f» ou «\u202fUTR\u202f».',
  'field.neftUtr': 'UTR du virement NEFT',
  'field.neftUtr.hint': '16 lettres et chiffres, dans le détail du virement.',
  'field.rtgsUtr': 'UTR du virement RTGS',
  'field.rtgsUtr.hint': '22 lettres et chiffres\u202f; le cinquième caractère est un R.',
  'field.endToEndId': 'Identifiant de transaction Pix',
  'field.endToEndId.hint': '32 caractères commençant par E, sur le reçu (comprovante).',
  'field.transactionId': 'Identifiant de transaction',
  'field.transactionId.hint': 'Votre portefeuille l’affiche après l’envoi.',

  'fault.required': 'Champ obligatoire\u202f: {label}.',
  'fault.tooLong': {
    one: '{count} caractère au maximum\u202f; vous en avez saisi {typed}.',
    many: '{count} de caractères au maximum\u202f; vous en avez saisi {typed}.',
    other: '{count} caractères au maximum\u202f; vous en avez saisi {typed}.',
  },
  'fault.characters': 'Ce caractère n’est pas autorisé ici\u202f: {character}',
  'fault.pattern': 'Cette saisie semble incorrecte. Veuillez la comparer avec l’original.',

  'fault.iban.country': 'Un IBAN commence par un code pays de deux lettres\u202f; {country} n’en est pas un.',
  'fault.iban.tooShort': {
    one: 'Un IBAN commençant par {country} compte {count} caractère\u202f; vous en avez saisi {typed}.',
    many: 'Un IBAN commençant par {country} compte {count} de caractères\u202f; vous en avez saisi {typed}.',
    other: 'Un IBAN commençant par {country} compte {count} caractères\u202f; vous en avez saisi {typed}.',
  },
  'fault.iban.tooLong': {
    one: 'Un IBAN commençant par {country} compte seulement {count} caractère\u202f; vous en avez saisi {typed}.',
    many: 'Un IBAN commençant par {country} compte seulement {count} de caractères\u202f; vous en avez saisi {typed}.',
    other:
      'Un IBAN commençant par {country} compte seulement {count} caractères\u202f; vous en avez saisi {typed}.',
  },
  'fault.iban.checkDigits': 'Cet IBAN contient une faute de frappe. Veuillez vérifier chaque caractère.',
  'fault.iban.character': 'Un IBAN ne contient que des lettres et des chiffres, pas {character}.',

  'fault.vpa': 'Un identifiant UPI ressemble à {example}.',
  'fault.email': 'Une adresse e-mail ressemble à {example}.',
  'fault.reference.digits': {
    one: 'Cette référence compte {count} chiffre\u202f; vous en avez saisi {typed}.',
    many: 'Cette référence compte {count} de chiffres\u202f; vous en avez saisi {typed}.',
    other: 'Cette référence compte {count} chiffres\u202f; vous en avez saisi {typed}.',
  },
  'fault.reference.length': {
    one: 'Cette référence compte {count} caractère\u202f; vous en avez saisi {typed}.',
    many: 'Cette référence compte {count} de caractères\u202f; vous en avez saisi {typed}.',
    other: 'Cette référence compte {count} caractères\u202f; vous en avez saisi {typed}.',
  },
  'fault.reference.digitsOnly': 'Cette référence ne contient que des chiffres, pas {character}.',
  'fault.reference.characters':
    'Cette référence ne contient que des lettres et des chiffres, pas {character}.',
  'fault.reference.rtgs': 'Le cinquième caractère de cette référence est un R.',
  'fault.reference.start': 'Cette référence commence par {start}.',
  'fault.name': 'Le nom doit comporter des lettres.',
} as const satisfies Record<keyof typeof source, Message>
