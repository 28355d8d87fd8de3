import type { fields as source } from '../en/fields.ts'
import type { Message } from '../message.ts'

/** Spanish: what customers type in: labels, hints, and what can be wrong with it. */
export const fields = {
  'field.accountName': 'Titular de la cuenta',
  'field.accountName.hint': 'Tal como figura en su cuenta bancaria.',
  'field.iban': 'IBAN',
  'field.iban.hint':
    'Lo encontrará en la aplicación de su banco. Empieza por dos letras, p.\u202fej. {example}.',
  'field.accountNumber': 'Número de cuenta',
  'field.accountNumber.hint': 'Lo encontrará en la aplicación de su banco o en un extracto.',
  'field.bankCode': 'Código del banco',
  'field.bankCode.hint': 'BIC, IFSC o sort code de su banco.',
  'field.emailAddress': 'Correo electrónico',
  'field.emailAddress.hint': 'Solo lo usamos para este pago.',
  'field.vpa': 'ID de UPI',
  'field.vpa.hint': 'Tiene este aspecto: {example}.',
  'field.walletAccount': 'Cuenta del monedero',
  'field.walletAccount.hint': 'El teléfono, el correo electrónico o el nombre que usa en su monedero.',
  'field.address': 'Dirección de su monedero',
  'field.address.hint': 'Si es necesario, devolveremos el dinero a esta dirección.',
  'field.reference': 'Referencia del pago',
  'field.reference.hint': 'Figura en los detalles del pago en su aplicación o en el justificante.',
  'field.rrn': 'ID de transacción UPI (UTR)',
  'field.rrn.hint': '12 dígitos; en su aplicación aparece como «UPI transaction ID» o «UTR».',
  'field.neftUtr': 'UTR de la transferencia NEFT',
  'field.neftUtr.hint': '16 letras y dígitos, en los detalles de la transferencia.',
  'field.rtgsUtr': 'UTR de la transferencia RTGS',
  'field.rtgsUtr.hint': '22 letras y dígitos; el quinto carácter es una R.',
  'field.endToEndId': 'ID de transacción Pix',
  'field.endToEndId.hint': '32 caracteres que empiezan por E, en el justificante (comprovante).',
  'field.transactionId': 'ID de transacción',
  'field.transactionId.hint': 'Su monedero lo muestra después del envío.',

  'fault.required': 'Campo obligatorio: {label}.',
  'fault.tooLong': {
    one: 'Se admite como máximo {count} carácter; ha introducido {typed}.',
    many: 'Se admiten como máximo {count} de caracteres; ha introducido {typed}.',
    other: 'Se admiten como máximo {count} caracteres; ha introducido {typed}.',
  },
  'fault.characters': 'Este carácter no se admite aquí: {character}',
  'fault.pattern': 'No parece correcto. Compárelo con el original.',

  'fault.iban.country': 'Un IBAN empieza por un código de país de dos letras; {country} no lo es.',
  'fault.iban.tooShort': {
    one: 'Un IBAN que empieza por {country} tiene {count} carácter; ha introducido {typed}.',
    many: 'Un IBAN que empieza por {country} tiene {count} de caracteres; ha introducido {typed}.',
    other: 'Un IBAN que empieza por {country} tiene {count} caracteres; ha introducido {typed}.',
  },
  'fault.iban.tooLong': {
    one: 'Un IBAN que empieza por {country} tiene solo {count} carácter; ha introducido {typed}.',
    many: 'Un IBAN que empieza por {country} tiene solo {count} de caracteres; ha introducido {typed}.',
    other: 'Un IBAN que empieza por {country} tiene solo {count} caracteres; ha introducido {typed}.',
  },
  'fault.iban.checkDigits': 'Este IBAN contiene un error. Compruebe cada carácter.',
  'fault.iban.character': 'Un IBAN solo contiene letras y dígitos, no {character}.',

  'fault.vpa': 'Un ID de UPI tiene este aspecto: {example}.',
  'fault.email': 'Un correo electrónico tiene este aspecto: {example}.',
  'fault.reference.digits': {
    one: 'Esta referencia tiene {count} dígito; ha introducido {typed}.',
    many: 'Esta referencia tiene {count} de dígitos; ha introducido {typed}.',
    other: 'Esta referencia tiene {count} dígitos; ha introducido {typed}.',
  },
  'fault.reference.length': {
    one: 'Esta referencia tiene {count} carácter; ha introducido {typed}.',
    many: 'Esta referencia tiene {count} de caracteres; ha introducido {typed}.',
    other: 'Esta referencia tiene {count} caracteres; ha introducido {typed}.',
  },
  'fault.reference.digitsOnly': 'Esta referencia solo contiene dígitos, no {character}.',
  'fault.reference.characters': 'Esta referencia solo contiene letras y dígitos, no {character}.',
  'fault.reference.rtgs': 'El quinto carácter de esta referencia es una R.',
  'fault.reference.start': 'Esta referencia empieza por {start}.',
  'fault.name': 'El nombre debe contener letras.',
} as const satisfies Record<keyof typeof source, Message>
