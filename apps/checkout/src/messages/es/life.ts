import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Spanish: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Su navegador no guarda cookies',
  'cookies.text': 'Esta página necesita una cookie para seguir su pago. Solo sirve para este pago.',
  'cookies.how': 'Permita las cookies para esta página en los ajustes de su navegador o use otro navegador.',
  'cookies.app': 'Si está dentro de una aplicación, elija «Abrir en el navegador» en su menú.',
  'phone.minutes': {
    one: 'El código vale {count} minuto.',
    many: 'El código vale {count} de minutos.',
    other: 'El código vale {count} minutos.',
  },
  'phone.over': 'Este código ha caducado',
  'phone.overText': 'Muéstrelo de nuevo en el otro dispositivo y escanéelo otra vez.',
  'unavailable.text': 'Seguimos intentándolo. Si ya ha aprobado allí el pago, no tiene que hacer nada más.',
  'unavailable.anyway': 'Continuar a {operator} de todos modos',
  'partial.overTitle': 'Ha llegado más que el importe',
  'partial.other': 'Hemos recibido {received} en lugar de {amount}.',
  'partial.nothingMore': 'No tiene que pagar nada más.',
  'waiting.back': 'De vuelta de {operator}',
  'waiting.checked': 'Entregado a una persona',
  'status.linkEnded': 'Su enlace ha caducado. Aquí sigue viendo cómo va su pago.',
} as const satisfies Record<keyof typeof source, Message>
