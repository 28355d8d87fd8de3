import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** French: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Votre navigateur ne garde pas les cookies',
  'cookies.text': 'Cette page a besoin d’un cookie pour suivre votre paiement. Il ne sert qu’à ce paiement.',
  'cookies.how':
    'Autorisez les cookies pour cette page dans les réglages de votre navigateur, ou utilisez un autre navigateur.',
  'cookies.app': 'Si vous êtes dans une application, choisissez « Ouvrir dans le navigateur » dans son menu.',
  'phone.minutes': {
    one: 'Le code est valable {count} minute.',
    many: 'Le code est valable {count} de minutes.',
    other: 'Le code est valable {count} minutes.',
  },
  'phone.over': 'Ce code n’est plus valable',
  'phone.overText': 'Affichez-le de nouveau sur l’autre appareil et scannez-le encore une fois.',
  'unavailable.text':
    'Nous continuons d’essayer. Si vous y avez déjà approuvé le paiement, vous n’avez plus rien à faire.',
  'unavailable.anyway': 'Continuer quand même vers {operator}',
  'partial.overTitle': 'Nous avons reçu plus que le montant',
  'partial.other': 'Nous avons reçu {received} au lieu de {amount}.',
  'partial.nothingMore': 'Vous n’avez plus rien à payer.',
  'waiting.back': 'Retour de {operator}',
  'waiting.checked': 'Confié à une personne',
  'status.linkEnded': 'Votre lien a expiré. Vous voyez toujours ici où en est votre paiement.',
} as const satisfies Record<keyof typeof source, Message>
