import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Spanish: how a payment goes on, and how it is taken to another device. */
export const life = {
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
} as const satisfies Record<keyof typeof source, Message>
