import type { results as source } from '../en/results.ts'
import type { Message } from '../message.ts'

/** Spanish: the end of a payment: results, receipt, reasons; and the screens of errors. */
export const results = {
  'paid.title': 'Pago realizado',
  'paid.text': 'Gracias. Se ha informado a la tienda.',
  'paid.late': 'Su dinero llegó después del plazo de pago. Se ha informado a la tienda.',
  'paid.different': 'Hemos recibido {received} en lugar de {amount}. Se ha informado a la tienda.',
  'paid.contact': 'Si tiene alguna pregunta, contacte con la tienda.',

  'receipt.title': 'Justificante de pago',
  'receipt.payee': 'Pagado a',
  'receipt.amount': 'Importe',
  'receipt.moment': 'Fecha y hora',
  'receipt.method': 'Forma de pago',
  'receipt.reference': 'Referencia del pago',
  'receipt.bankReference': 'Referencia del banco',
  'receipt.shareTitle': 'Justificante de pago: {amount}',
  'receipt.shareText': 'Pagado: {amount}, pedido {order}',

  'notPaid.title': 'El pago no se ha completado',
  'notPaid.noMoney': 'No se ha cobrado nada.',
  'notPaid.perhaps': {
    one: 'Si ha salido dinero de su cuenta, se le devolverá en un plazo de {count} día. Referencia: {reference}',
    many: 'Si ha salido dinero de su cuenta, se le devolverá en un plazo de {count} de días. Referencia: {reference}',
    other:
      'Si ha salido dinero de su cuenta, se le devolverá en un plazo de {count} días. Referencia: {reference}',
  },
  'notPaid.support': 'Datos para atención al cliente',
  'notPaid.code': 'Código',

  'cancelled.title': 'El pago se ha cancelado',

  'expired.title': 'El plazo de pago ha terminado',
  'expired.text': 'No ha llegado nada a tiempo. Puede empezar de nuevo en la tienda.',
  'expired.paid': 'Ya he pagado',
  'expired.paidText': 'No pague dos veces. Introduzca la referencia de su pago para que podamos localizarlo.',
  'expired.paidWait': 'No pague dos veces. Informaremos a la tienda en cuanto llegue su dinero.',
  'expired.enterReference': 'Introducir referencia',

  'reversed.title': 'Pago devuelto',
  'reversed.text': 'Se ha devuelto el importe de {amount}. Puede tardar unos días en aparecer en su cuenta.',

  'status.newLink': 'Pida un enlace nuevo a la tienda.',

  // Why a payment failed
  'reason.funds': 'Su banco indica que no hay saldo suficiente en esta cuenta.',
  'reason.declined': 'Su banco no ha autorizado el pago.',
  'reason.authentication': 'No se ha completado la autorización en su aplicación.',
  'reason.cancelled': 'El pago se canceló en su banco.',
  'reason.bankDown': 'Su banco no está disponible en este momento. Pruebe con otro banco.',
  'reason.limit': 'El importe supera el límite de su cuenta o de esta forma de pago.',
  'reason.account': 'Esta cuenta no se puede usar para este pago.',
  'reason.timeout': 'La autorización no llegó a tiempo.',
  'reason.returned': 'Se le ha devuelto el dinero.',
  'reason.unknown': 'No se ha podido completar el pago.',
  'action.askBank': 'Su banco puede indicarle el motivo.',

  // Screens of errors
  'error.code': 'Código de incidencia',
  'error.linkInvalid': 'Este enlace de pago ya no es válido',
  'error.linkInvalidText':
    'Por su seguridad, los enlaces de pago solo funcionan durante un tiempo limitado. Al abrir este no se ha cobrado nada.',
  'error.linkInvalidAction': 'Si todavía no ha pagado, vuelva a la tienda e inicie el pago de nuevo.',
  'error.linkIncomplete': 'Este enlace de pago está incompleto',
  'error.linkIncompleteText': 'No se ha cobrado nada. Vuelva a la tienda e inicie el pago de nuevo.',
  'error.shopDetails': 'La tienda ha enviado datos incompletos',
  'error.shopDetailsText': 'No se ha cobrado nada. Contacte con la tienda.',
  'error.returnAddress': 'La dirección de retorno de la tienda no está registrada',
  'error.returnAddressText': 'Por su seguridad, no podemos continuar. No se ha cobrado nada.',
  'error.unknownPayment': 'No encontramos este pago',
  'error.unknownPaymentText': 'Es posible que no se haya iniciado.',
  'error.noOptions': 'Este importe no se puede pagar aquí',
  'error.noOptionsText': 'Ninguna forma de pago de esta tienda permite pagar {amount}.',
  'error.unreachable': 'No podemos conectar con el servicio de pago',
  'error.unreachableText': 'No se le ha cobrado nada. Conservamos sus datos y lo intentamos de nuevo.',
  'error.unreachableUnsure':
    'No pague otra vez. Conservamos sus datos y estamos comprobando el estado de su pago.',
  'error.busy': 'Hay muchos pagos en este momento',
  'error.busyText': 'No se le ha cobrado nada. Lo intentaremos de nuevo en un momento.',
  'error.limited': 'Espere un momento',
  'error.limitedText': 'Han llegado demasiadas solicitudes desde su conexión. Esto no afecta a su pago.',
  'error.unexpected': 'Algo ha fallado por nuestra parte',
  'error.unexpectedText': 'Inténtelo de nuevo. Si vuelve a ocurrir, facilite este código a la tienda.',
  'error.forbidden': 'Este formulario no se ha enviado desde nuestra página',
  'error.forbiddenText': 'Por su seguridad, no lo hemos procesado. Abra el pago de nuevo desde la tienda.',
  'error.notFound': 'Página no encontrada',
  'error.notFoundText': 'Use el enlace que recibió de la tienda.',
} as const satisfies Record<keyof typeof source, Message>
