import type { start as source } from '../en/start.ts'
import type { Message } from '../message.ts'

/** Spanish: the frame of every screen, and the screens before the payment exists. */
export const start = {
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
} as const satisfies Record<keyof typeof source, Message>
