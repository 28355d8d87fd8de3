import { developer } from './developer.ts'
import type { en } from './en.ts'
import type { Message } from './message.ts'

/** Spanish. Has exactly the keys of the English one, or does not compile. */
export const es = {
  // The frame of every screen, and the screens before the payment exists.

  // Frame
  'frame.skip': 'Ir al contenido',
  'frame.sandbox': 'SANDBOX – sin dinero real',
  'frame.orderNumber': 'Número de pedido',
  'frame.changeLanguage': 'Cambiar de idioma',
  'frame.support': 'Contactar con {shop}',
  'frame.secured': 'Protegido por {operator}',
  'frame.trust': 'Conexión cifrada. La tienda ve que ha pagado, nunca sus claves del banco.',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': 'Pagar {amount}',
  'title.paid': 'Pagado: {amount}',
  'title.notPaid': 'No pagado',
  'title.inProgress': 'Pago en curso',
  'title.faulty': 'Revise: {title}',

  // Actions of many screens
  'common.change': 'Cambiar',
  'common.close': 'Cerrar',
  'common.copyWhat': 'Copiar: {label}',
  'common.copied': 'Copiado: {label}',
  'common.copiedShort': 'Copiado',
  'common.copyFailed': 'Mantenga pulsado para copiar',
  'common.optional': 'opcional',
  'common.printOrSave': 'Imprimir o guardar',
  'common.share': 'Compartir',
  'common.sending': 'Enviando…',
  'common.stay': 'Quedarse aquí',
  'common.stop': 'Detener',
  'common.tryAgain': 'Intentar de nuevo',
  'common.tryNow': 'Intentar ahora',
  'common.returnTo': 'Volver a {host}',
  'common.cancelAndReturnTo': 'Cancelar y volver a {host}',

  // Going on without a click
  'proceed.continuing': {
    one: 'Continuará automáticamente en {count} segundo.',
    many: 'Continuará automáticamente en {count} de segundos.',
    other: 'Continuará automáticamente en {count} segundos.',
  },
  'proceed.returning': {
    one: 'Volverá a la tienda en {count} segundo.',
    many: 'Volverá a la tienda en {count} de segundos.',
    other: 'Volverá a la tienda en {count} segundos.',
  },
  'proceed.retrying': {
    one: 'Nuevo intento en {count} segundo.',
    many: 'Nuevo intento en {count} de segundos.',
    other: 'Nuevo intento en {count} segundos.',
  },

  // Leaving
  'leave.title': 'Su pago todavía no se ha completado. ¿Salir de esta página?',
  'leave.text': 'Su pago sigue abierto. Puede volver a esta página hasta la fecha límite: {moment}.',
  'leave.paid': 'Si ya ha pagado, no pague otra vez: informaremos a la tienda.',
  'leave.stay': 'Seguir en esta página',
  'leave.go': 'Salir de esta página',

  // Methods and operators
  'choose.title': '¿Cómo desea pagar?',
  'choose.bank': 'Elija su banco',
  'choose.wallet': 'Elija su monedero',
  'choose.searchBank': 'Buscar su banco',
  'choose.searchWallet': 'Buscar su monedero',
  'choose.searchHint': 'Nombre o BIC',
  'choose.popular': 'Más utilizados',
  'choose.otherBanks': 'Otros bancos',
  'choose.otherWallets': 'Otros monederos',
  'choose.unavailable': 'No disponible temporalmente',
  'choose.closed': 'No disponible en este momento',
  'choose.limitReached': 'Límite diario alcanzado',
  'choose.limitReachedOf': 'Se ha alcanzado el límite diario de esta forma de pago: {method}. Elija otra.',
  'choose.delayed': 'Más lento de lo habitual en este momento',
  'choose.bankNotListed': 'Mi banco no aparece en la lista',
  'choose.walletNotListed': 'Mi monedero no aparece en la lista',
  'choose.chooseAnotherWay': 'Elegir otra forma de pago',
  'choose.results': {
    one: '{count} resultado',
    many: '{count} de resultados',
    other: '{count} resultados',
  },
  'choose.noResults': 'Sin resultados. Revise la ortografía o elija otra forma de pago.',
  'choose.suggestedUnavailable':
    'La forma de pago propuesta no está disponible para este importe. Elija otra.',

  'method.BANK_TRANSFER': 'Transferencia bancaria',
  'method.ONLINE_BANKING': 'Banca en línea',
  'method.WALLET': 'Monedero digital',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'Transferencia con referencia',
  'method.CRYPTO': 'Criptomoneda',

  'flow.REDIRECT': 'Autorice el pago en su banco o monedero.',
  'flow.INSTRUCTIONS': 'Copie los datos en la aplicación de su banco.',
  'flow.QR': 'Escanee un código o pague en una aplicación.',
  'flow.REFERENCE': 'Pague en la aplicación de su banco e introduzca aquí la referencia.',

  'speed.INSTANT': 'Al instante',
  'speed.MINUTES': 'Minutos',
  'speed.HOURS': 'Horas',
  'speed.DAYS': 'Unos días',

  // Details
  'details.title': 'Sus datos',
  'details.providedBy': 'Datos facilitados por {shop}',
  'details.providedByShop': 'Datos facilitados por la tienda',
  'details.pay': 'Pagar {amount}',
  'details.showCode': 'Mostrar código QR',
  'details.showInstructions': 'Mostrar datos de pago',
  'details.continueTo': 'Continuar en {operator}',
  'details.faults': {
    one: 'Corrija {count} dato',
    many: 'Corrija {count} de datos',
    other: 'Corrija {count} datos',
  },

  // Confirmation
  'confirm.title': 'Pagar {amount} a {shop} con {method}',
  'confirm.titleShop': 'Pagar {amount} con {method}',
  'confirm.with': 'Pagar con {method}',
  'confirm.text': 'No se le cobrará nada hasta que pulse el botón.',

  // What customers type in: labels, hints, and what can be wrong with it.
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

  // The payment exists and waits: at the institution, for a transfer, for a reference, for a confirmation.
  // What the transfer carries is its concepto; what the app shows after paying is the referencia.

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
  'code.openWallet': 'Abrir el monedero',
  'code.noApp':
    '¿No se ha abierto ninguna aplicación? Copie el código y péguelo en su aplicación, o escanéelo con otro teléfono.',

  'wallet.network': 'Red',
  'wallet.only':
    'Envíe solo {currency} por la red {network}. Otras monedas u otras redes no se pueden abonar.',
  'wallet.detected': 'Se ha detectado su pago. La confirmación tarda unos minutos.',
  'wallet.confirmations': 'Confirmaciones: {count} de {needed}',

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
  'partial.restOfCoins': 'Envíe los {rest} restantes a la misma dirección.',
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

  // How a payment goes on, and how it is taken to another device.
  'cookies.title': 'Su navegador bloquea las cookies',
  'cookies.text': 'Esta página necesita una cookie para seguir su pago. No se usa para nada más.',
  'cookies.how': 'Permita las cookies para esta página en los ajustes de su navegador o use otro navegador.',
  'cookies.app':
    'Si ha abierto esta página dentro de una aplicación, elija «Abrir en el navegador» en su menú.',
  'phone.minutes': {
    one: 'El código es válido durante {count} minuto.',
    many: 'El código es válido durante {count} de minutos.',
    other: 'El código es válido durante {count} minutos.',
  },
  'phone.over': 'Este código ha caducado',
  'phone.overText': 'Muestre de nuevo el código en el otro dispositivo y escanéelo otra vez.',
  'unavailable.text': 'Seguimos intentándolo. Si ya ha autorizado el pago allí, no tiene que hacer nada más.',
  'unavailable.anyway': 'Continuar en {operator} de todos modos',
  'partial.overTitle': 'Hemos recibido más del importe solicitado',
  'partial.other': 'Hemos recibido {received} en lugar de {amount}.',
  'partial.nothingMore': 'No tiene que pagar nada más.',
  'waiting.back': 'Vuelta desde {operator}',
  'waiting.notAgain': 'No pague otra vez.',
  'waiting.checked': 'En revisión por nuestro equipo',
  'status.linkEnded': 'Su enlace ha caducado. Aquí puede seguir consultando el estado de su pago.',

  // The end of a payment: results, receipt, reasons; and the screens of errors.
  'paid.title': 'Pago realizado',
  'paid.text': 'Gracias. Se ha informado a la tienda.',
  'paid.late': 'Su dinero llegó después del plazo de pago. Se ha informado a la tienda.',
  'paid.different': 'Hemos recibido {received} en lugar de {amount}. Se ha informado a la tienda.',
  'paid.contact': 'Si tiene alguna pregunta, contacte con la tienda.',

  'refunded.title': 'Pago reembolsado',
  'refunded.text':
    'Se ha reembolsado el importe de {refunded}. Puede tardar unos días en aparecer en su cuenta.',
  'refunded.part':
    'Se ha reembolsado {refunded} de {amount}. Puede tardar unos días en aparecer en su cuenta.',

  'receipt.title': 'Justificante de pago',
  'receipt.payee': 'Pagado a',
  'receipt.amount': 'Importe',
  'receipt.refunded': 'Reembolsado',
  'receipt.moment': 'Fecha y hora',
  'receipt.method': 'Forma de pago',
  'receipt.reference': 'Referencia del pago',
  'receipt.bankReference': 'Referencia del banco',
  'receipt.shareTitle': 'Justificante de pago: {amount}',
  'receipt.shareText': 'Pagado: {amount}, pedido {order}',

  'notPaid.title': 'El pago no se ha completado',
  'notPaid.noMoney': 'No se ha cobrado nada.',
  'notPaid.returned': 'Puede tardar unos días en aparecer en su cuenta.',
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
  'error.methodFixed': 'Esta forma de pago no está disponible en este momento',
  'error.methodFixedText':
    'La tienda la eligió para este pago. No se ha cobrado nada. Vuelva a la tienda para pagar de otra forma.',
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

  ...developer,
} as const satisfies Readonly<Record<keyof typeof en, Message>>
