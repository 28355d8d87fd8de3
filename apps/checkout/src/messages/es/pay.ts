import type { pay as source } from '../en/pay.ts'
import type { Message } from '../message.ts'

/**
 * Spanish: the payment exists and waits: at the institution, for a transfer, for a reference, for a confirmation.
 * What the transfer carries is its concepto; what the app shows after paying is the referencia.
 */
export const pay = {
  // On the way to the institution
  'redirect.title': 'Continúe en {operator}',
  'redirect.text': 'Autorice allí el pago de {amount} a {payee}. Después volverá aquí automáticamente.',
  'redirect.textShop': 'Autorice allí el pago de {amount}. Después volverá aquí automáticamente.',
  'redirect.go': 'Continuar en {operator}',
  'redirect.opensApp': 'Abre la aplicación si la tiene en este teléfono.',
  'redirect.phone': '¿Tiene la aplicación en el teléfono?',
  'redirect.phoneText': 'Escanee este código con el teléfono para continuar allí.',
  'redirect.unavailable': '{operator} no responde en este momento',
  'redirect.unavailableText': 'No se le ha cobrado nada.',

  'back.title': 'El pago en {operator} no se ha completado',
  'back.text': 'Todavía no hemos recibido su autorización.',
  'back.approved': 'Ya lo he autorizado',

  // Instructions
  'code.label': 'Código QR: {amount} a {payee}, concepto {reference}',
  'code.lead': 'Escanee el código con su aplicación.',
  'code.leadApp': 'Abra su aplicación o escanee el código con otro teléfono.',
  'code.leadWallet': 'Abra su monedero o escanee el código con él.',
  'code.enlarge': 'Ampliar',
  'code.otherPhone': 'Escanear con otro teléfono',
  'code.copyCode': 'Copiar código',
  'code.copyHint': 'Copie el código y péguelo en su aplicación.',
  'code.paymentCode': 'Código de pago',
  'code.openApp': 'Abrir en la aplicación',
  'code.noApp':
    '¿No se ha abierto ninguna aplicación? Copie el código y péguelo en su aplicación, o escanéelo con otro teléfono.',

  'transfer.title': 'Transferencia desde su banco',
  'transfer.lead': 'Copie estos datos en la aplicación de su banco.',
  'transfer.leadScan': 'Escanee el código con la aplicación de su banco o introduzca los datos.',
  'transfer.leadApp': 'Abra la aplicación de su banco o copie estos datos en ella.',
  'transfer.details': 'Datos de pago',
  'transfer.payee': 'Beneficiario',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'Número de cuenta',
  'transfer.address': 'Dirección',
  'transfer.bank': 'Banco',
  'transfer.bankCode': 'Código del banco',
  'transfer.bankTitle': 'Banco y código del banco',
  'transfer.amount': 'Importe',
  'transfer.reference': 'Concepto',
  'transfer.referenceRule': 'Escriba exactamente este concepto. Sin él, no podremos localizar su pago.',
  'transfer.late': 'El dinero que llegue más tarde no se pierde: informaremos a la tienda.',
  'transfer.lateTitle': '¿Qué pasa si pago tarde?',
  'transfer.save': 'Guardar estos datos',

  'deadline.payBefore': 'Fecha límite de pago: {moment}',
  'countdown.minutes': {
    one: 'Queda {count} minuto',
    many: 'Quedan {count} de minutos',
    other: 'Quedan {count} minutos',
  },
  'countdown.over': 'El plazo ha terminado. Estamos comprobando si ha llegado su pago.',

  'waitFor.title': 'A la espera de su pago…',
  'waitFor.text':
    'Esta página se actualiza automáticamente. Puede cerrarla; informaremos a la tienda de todos modos.',
  'waitFor.textNoScript': 'Esta página se recarga cada 20\u00a0segundos.',
  'waitFor.paid': 'Ya he pagado',
  'waitFor.phone': 'Continuar en el teléfono',
  'waitFor.phoneCode': 'Código QR: esta página en el teléfono',

  'partial.title': 'Ha llegado una parte del dinero',
  'partial.text': 'Hemos recibido {received} de {amount}.',
  'partial.rest': 'Envíe los {rest} restantes con el mismo concepto.',
  'partial.restLabel': 'Pendiente de pago',

  // External reference
  'reference.title': 'Introduzca la referencia del pago',
  'reference.text': 'Después de pagar, su aplicación muestra una referencia. Nos ayuda a localizar su pago.',
  'reference.where': '¿Dónde la encuentro?',
  'reference.whereApp': 'Abra el pago en su aplicación. La referencia figura en los detalles del pago.',
  'reference.whereReceipt': 'Si pagó en ventanilla, figura en el justificante.',
  'reference.send': 'Enviar referencia',
  'reference.cannotFind': 'No la encuentro',
  'reference.thanks': 'Gracias. Estamos buscando su pago.',
  'reference.correct': 'Corregir la referencia',
  'reference.refused': 'No se ha aceptado esta referencia. Compruébela.',

  // Waiting for a confirmation
  'waiting.title': 'Su pago se está confirmando',
  'waiting.timeline': 'Pasos realizados',
  'waiting.sent': 'Datos enviados',
  'waiting.referenceSent': 'Referencia enviada',
  'waiting.confirming': 'A la espera de confirmación',
  'waiting.usual': 'Suele tardar menos de 2\u00a0minutos. No pague otra vez.',
  'waiting.long': 'Está tardando más de lo habitual. No pague otra vez.',
  'waiting.longText':
    'Puede salir de esta página: informaremos a la tienda y este enlace seguirá mostrando el resultado.',
  'waiting.review': 'Nuestro equipo está revisando su pago.',
  'waiting.copyLink': 'Copiar el enlace a esta página',
  'waiting.link': 'Enlace a esta página',

  'live.changed': 'El estado de su pago ha cambiado.',
  'live.show': 'Mostrar el nuevo estado',
  'offline.text': 'No tiene conexión. Continuaremos cuando la recupere.',
  'offline.back': 'Vuelve a tener conexión.',
} as const satisfies Record<keyof typeof source, Message>
