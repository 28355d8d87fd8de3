import type { start as source } from '../en/start.ts'
import type { Message } from '../message.ts'

/** Spanish: the frame of every screen, and the screens before the payment exists. */
export const start = {
  // Frame
  'frame.skip': 'Ir al contenido',
  'frame.sandbox': 'SANDBOX – sin dinero real',
  'frame.order': 'Pedido {order}',
  'frame.orderNumber': 'Número de pedido',
  'frame.logo': 'Logotipo de {shop}',
  'frame.language': 'Idioma',
  'frame.changeLanguage': 'Cambiar de idioma',
  'frame.help': '¿Necesita ayuda?',
  'frame.support': 'Contactar con {shop}',
  'frame.supportShop': 'Contactar con la tienda',
  'frame.secured': 'Protegido por {operator}',
  'frame.privacy': 'Privacidad',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': 'Pagar {amount}',
  'title.paid': 'Pagado: {amount}',
  'title.notPaid': 'No pagado',
  'title.inProgress': 'Pago en curso',
  'title.status': 'Estado del pago',
  'title.faulty': 'Revise: {title}',

  // Steps
  'steps.label': 'Pasos del pago',
  'steps.choose': 'Elegir',
  'steps.details': 'Datos',
  'steps.pay': 'Pagar',
  'steps.done': 'Listo',
  'steps.completed': 'completado',

  // Actions of many screens
  'common.continue': 'Continuar',
  'common.back': 'Atrás',
  'common.change': 'Cambiar',
  'common.changeMethod': 'Cambiar la forma de pago',
  'common.close': 'Cerrar',
  'common.copy': 'Copiar',
  'common.copyWhat': 'Copiar: {label}',
  'common.copied': 'Copiado: {label}',
  'common.copyFailed': 'Mantenga pulsado para copiar',
  'common.optional': 'opcional',
  'common.print': 'Imprimir',
  'common.printOrSave': 'Imprimir o guardar',
  'common.share': 'Compartir',
  'common.sending': 'Enviando…',
  'common.stay': 'Quedarse aquí',
  'common.stop': 'Detener',
  'common.tryAgain': 'Intentar de nuevo',
  'common.tryNow': 'Intentar ahora',
  'common.payAnotherWay': 'Pagar de otra forma',
  'common.returnTo': 'Volver a {host}',
  'common.returnToShop': 'Volver a la tienda',
  'common.cancelAndReturnTo': 'Cancelar y volver a {host}',
  'common.cancelAndReturn': 'Cancelar y volver a la tienda',
  'common.today': '{time} (hoy)',
  'common.tomorrow': '{time} (mañana)',

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
  'leave.stay': 'Seguir en esta página',
  'leave.go': 'Salir de esta página',

  // Methods and operators
  'choose.title': '¿Cómo desea pagar {amount}?',
  'choose.bank': 'Elija su banco',
  'choose.wallet': 'Elija su monedero',
  'choose.operator': 'Elija su banco o monedero',
  'choose.searchBank': 'Buscar su banco',
  'choose.searchWallet': 'Buscar su monedero',
  'choose.search': 'Buscar su banco o monedero',
  'choose.searchHint': 'Nombre o BIC',
  'choose.searchHintName': 'Nombre',
  'choose.popular': 'Más utilizados',
  'choose.otherBanks': 'Otros bancos',
  'choose.otherWallets': 'Otros monederos',
  'choose.all': 'Todos los bancos y monederos',
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
  'choose.limits': 'De {min} a {max}',
  'choose.missing': 'Elija cómo desea pagar.',
  'choose.missingOperator': 'Elija su banco o monedero.',

  'method.BANK_TRANSFER': 'Transferencia bancaria',
  'method.ONLINE_BANKING': 'Banca en línea',
  'method.WALLET': 'Monedero digital',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'Transferencia con referencia',
  'method.CRYPTO': 'Criptomoneda',

  'flow.REDIRECT': 'Autorice el pago en su banco o monedero.',
  'flow.INSTRUCTIONS': 'Haga una transferencia desde su cuenta. Puede tardar unos días.',
  'flow.QR': 'Escanee un código o pague en una aplicación.',
  'flow.REFERENCE': 'Pague en la aplicación de su banco e introduzca aquí la referencia.',

  'speed.INSTANT': 'Normalmente al instante',
  'speed.MINUTES': 'Normalmente en unos minutos',
  'speed.HOURS': 'Normalmente en unas horas',
  'speed.DAYS': 'Normalmente en unos días',

  // Details
  'details.title': 'Sus datos',
  'details.payingWith': 'Pago con {method}',
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
  'confirm.text': 'No se le cobrará nada hasta que pulse el botón.',
} as const satisfies Record<keyof typeof source, Message>
