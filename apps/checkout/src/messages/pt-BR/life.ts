import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Brazilian Portuguese: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Seu navegador não guarda cookies',
  'cookies.text':
    'Esta página precisa de um cookie para acompanhar seu pagamento. Ele serve só para este pagamento.',
  'cookies.how': 'Permita cookies para esta página nas configurações do navegador ou use outro navegador.',
  'cookies.app': 'Se você está dentro de um aplicativo, escolha “Abrir no navegador” no menu dele.',
  'phone.minutes': {
    one: 'O código vale por {count} minuto.',
    many: 'O código vale por {count} de minutos.',
    other: 'O código vale por {count} minutos.',
  },
  'phone.over': 'Este código expirou',
  'phone.overText': 'Mostre-o de novo no outro dispositivo e escaneie mais uma vez.',
  'unavailable.text': 'Continuamos tentando. Se você já aprovou o pagamento lá, não precisa fazer mais nada.',
  'unavailable.anyway': 'Continuar para {operator} mesmo assim',
  'partial.overTitle': 'Chegou mais que o valor',
  'partial.other': 'Recebemos {received} em vez de {amount}.',
  'partial.nothingMore': 'Você não precisa pagar mais nada.',
  'waiting.back': 'De volta de {operator}',
  'waiting.checked': 'Entregue a uma pessoa',
  'status.linkEnded': 'Seu link expirou. Você ainda vê aqui como está seu pagamento.',
} as const satisfies Record<keyof typeof source, Message>
