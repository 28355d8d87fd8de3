import type { life as source } from '../en/life.ts'
import type { Message } from '../message.ts'

/** French: how a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Votre navigateur bloque les cookies',
  'cookies.text': 'Cette page a besoin d’un cookie pour suivre votre paiement. Il ne sert à rien d’autre.',
  'cookies.how':
    'Autorisez les cookies pour cette page dans les réglages de votre navigateur ou utilisez un autre navigateur.',
  'cookies.app':
    'Si vous avez ouvert cette page dans une application, choisissez «\u202fOuvrir dans le navigateur\u202f» dans son menu.',
  'phone.minutes': {
    one: 'Le code est valable {count} minute.',
    many: 'Le code est valable {count} de minutes.',
    other: 'Le code est valable {count} minutes.',
  },
  'phone.over': 'Ce code n’est plus valable',
  'phone.overText': 'Affichez de nouveau le code sur l’autre appareil et scannez-le encore une fois.',
  'unavailable.text':
    'Nous continuons d’essayer. Si vous y avez déjà validé le paiement, vous n’avez rien d’autre à faire.',
  'unavailable.anyway': 'Continuer quand même vers {operator}',
  'partial.overTitle': 'Nous avons reçu plus que le montant demandé',
  'partial.other': 'Nous avons reçu {received} au lieu de {amount}.',
  'partial.nothingMore': 'Vous n’avez rien d’autre à payer.',
  'waiting.back': 'Retour depuis {operator}',
  'waiting.notAgain': 'Ne payez pas une deuxième fois.',
  'waiting.checked': 'Vérification par notre équipe',
  'status.linkEnded': 'Votre lien a expiré. Vous pouvez toujours suivre votre paiement ici.',
} as const satisfies Record<keyof typeof source, Message>
