import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** Brazilian Portuguese: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Seu navegador bloqueia cookies',
  'cookies.text':
    'Esta página precisa de um cookie para acompanhar seu pagamento. Ele não serve para mais nada.',
  'cookies.how': 'Permita cookies para esta página nas configurações do navegador ou use outro navegador.',
  'cookies.app':
    'Se você abriu esta página dentro de um aplicativo, escolha “Abrir no navegador” no menu dele.',
  'phone.minutes': {
    one: 'O código vale por {count} minuto.',
    many: 'O código vale por {count} de minutos.',
    other: 'O código vale por {count} minutos.',
  },
  'phone.over': 'Este código expirou',
  'phone.overText': 'Mostre o código de novo no outro dispositivo e escaneie mais uma vez.',
  'unavailable.text':
    'Continuamos tentando. Se você já autorizou o pagamento lá, não precisa fazer mais nada.',
  'unavailable.anyway': 'Continuar em {operator} mesmo assim',
  'partial.overTitle': 'Recebemos mais que o valor solicitado',
  'partial.other': 'Recebemos {received} em vez de {amount}.',
  'partial.nothingMore': 'Você não precisa pagar mais nada.',
  'waiting.back': 'Retorno de {operator}',
  'waiting.notAgain': 'Não pague de novo.',
  'waiting.checked': 'Em análise pela nossa equipe',
  'status.linkEnded': 'Seu link expirou. Você ainda pode acompanhar seu pagamento aqui.',
} as const satisfies Record<keyof typeof source, Message>
