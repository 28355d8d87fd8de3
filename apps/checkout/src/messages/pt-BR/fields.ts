import type { fields as english } from '../en/fields.ts'
import type { Message } from '../message.ts'

/** In Brazilian Portuguese: what customers type in, its labels and hints, and what can be wrong with it. */
export const fields = {
  'field.accountName': 'Nome do titular da conta',
  'field.accountName.hint': 'Como consta na sua conta bancária.',
  'field.iban': 'IBAN',
  'field.iban.hint': 'Está no aplicativo do seu banco. Começa com duas letras, p. ex. {example}.',
  'field.accountNumber': 'Número da conta',
  'field.accountNumber.hint': 'Está no aplicativo do seu banco ou em um extrato.',
  'field.bankCode': 'Código do banco',
  'field.bankCode.hint': 'BIC, IFSC ou sort code do seu banco.',
  'field.emailAddress': 'E-mail',
  'field.emailAddress.hint': 'Usamos apenas para este pagamento.',
  'field.vpa': 'ID UPI',
  'field.vpa.hint': 'Tem este formato: {example}.',
  'field.walletAccount': 'Chave Pix ou conta da carteira digital',
  'field.walletAccount.hint': 'Sua chave Pix, ou o celular, e-mail ou nome que você usa na carteira digital.',
  'field.address': 'Endereço da sua carteira',
  'field.address.hint': 'Se for necessário, devolvemos o valor para este endereço.',
  'field.reference': 'ID da transação',
  'field.reference.hint': 'Está nos detalhes do pagamento no seu aplicativo ou no comprovante.',
  'field.rrn': 'ID da transação UPI (UTR)',
  'field.rrn.hint': '12 dígitos, no seu aplicativo em “UPI transaction ID” ou “UTR”.',
  'field.neftUtr': 'UTR da transferência NEFT',
  'field.neftUtr.hint': '16 letras e dígitos, nos detalhes da transferência.',
  'field.rtgsUtr': 'UTR da transferência RTGS',
  'field.rtgsUtr.hint': '22 letras e dígitos; o quinto é um R.',
  'field.endToEndId': 'ID da transação Pix (EndToEnd)',
  'field.endToEndId.hint': '32 caracteres que começam com E, no comprovante do Pix.',
  'field.transactionId': 'ID da transação',
  'field.transactionId.hint': 'Sua carteira mostra o ID depois do envio.',

  'fault.required': 'Campo obrigatório: {label}.',
  'fault.tooLong': {
    one: 'É permitido no máximo {count} caractere; você digitou {typed}.',
    many: 'São permitidos no máximo {count} caracteres; você digitou {typed}.',
    other: 'São permitidos no máximo {count} caracteres; você digitou {typed}.',
  },
  'fault.characters': 'Este caractere não é permitido aqui: {character}',
  'fault.pattern': 'Parece haver um erro. Compare com o original.',

  'fault.iban.country':
    'Um IBAN começa com um código de país de duas letras; {country} não é um código de país.',
  'fault.iban.tooShort': {
    one: 'Um IBAN que começa com {country} tem {count} caractere; você digitou {typed}.',
    many: 'Um IBAN que começa com {country} tem {count} caracteres; você digitou {typed}.',
    other: 'Um IBAN que começa com {country} tem {count} caracteres; você digitou {typed}.',
  },
  'fault.iban.tooLong': {
    one: 'Um IBAN que começa com {country} tem só {count} caractere; você digitou {typed}.',
    many: 'Um IBAN que começa com {country} tem só {count} caracteres; você digitou {typed}.',
    other: 'Um IBAN que começa com {country} tem só {count} caracteres; você digitou {typed}.',
  },
  'fault.iban.checkDigits': 'Este IBAN tem um erro de digitação. Confira todos os caracteres.',
  'fault.iban.character': 'Um IBAN tem apenas letras e dígitos, não {character}.',

  'fault.vpa': 'Um ID UPI tem este formato: {example}.',
  'fault.email': 'Um e-mail tem este formato: {example}.',
  'fault.reference.digits': {
    one: 'Este código tem {count} dígito; você digitou {typed}.',
    many: 'Este código tem {count} dígitos; você digitou {typed}.',
    other: 'Este código tem {count} dígitos; você digitou {typed}.',
  },
  'fault.reference.length': {
    one: 'Este código tem {count} caractere; você digitou {typed}.',
    many: 'Este código tem {count} caracteres; você digitou {typed}.',
    other: 'Este código tem {count} caracteres; você digitou {typed}.',
  },
  'fault.reference.digitsOnly': 'Este código tem apenas dígitos, não {character}.',
  'fault.reference.characters': 'Este código tem apenas letras e dígitos, não {character}.',
  'fault.reference.rtgs': 'O quinto caractere deste código é um R.',
  'fault.reference.start': 'Este código começa com {start}.',
  'fault.name': 'O nome precisa ter letras.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>
