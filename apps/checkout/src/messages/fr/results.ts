import type { results as source } from '../en/results.ts'
import type { Message } from '../message.ts'

/** French: the end of a payment: results, receipt, reasons; and the screens of errors. */
export const results = {
  'paid.title': 'Paiement effectué',
  'paid.text': 'Merci. La boutique a été informée.',
  'paid.late': 'Votre argent est arrivé après la fin du délai de paiement. La boutique a été informée.',
  'paid.different': 'Nous avons reçu {received} au lieu de {amount}. La boutique a été informée.',
  'paid.contact': 'Pour toute question, veuillez contacter la boutique.',

  'receipt.title': 'Reçu',
  'receipt.payee': 'Bénéficiaire',
  'receipt.amount': 'Montant',
  'receipt.moment': 'Date et heure',
  'receipt.method': 'Moyen de paiement',
  'receipt.reference': 'Référence du paiement',
  'receipt.bankReference': 'Référence de la banque',
  'receipt.shareTitle': 'Reçu\u202f: {amount}',
  'receipt.shareText': 'Payé\u202f: {amount}, commande {order}',

  'notPaid.title': 'Le paiement n’a pas abouti',
  'notPaid.noMoney': 'Aucun montant n’a été débité.',
  'notPaid.perhaps': {
    one: 'Si votre compte a été débité, la somme vous sera restituée sous {count} jour. Référence\u202f: {reference}',
    many: 'Si votre compte a été débité, la somme vous sera restituée sous {count} de jours. Référence\u202f: {reference}',
    other:
      'Si votre compte a été débité, la somme vous sera restituée sous {count} jours. Référence\u202f: {reference}',
  },
  'notPaid.support': 'Informations pour l’assistance',
  'notPaid.code': 'Code d’erreur',

  'cancelled.title': 'Le paiement a été annulé',

  'expired.title': 'Le délai de paiement est dépassé',
  'expired.text': 'Rien n’est arrivé à temps. Vous pouvez recommencer dans la boutique.',
  'expired.paid': 'J’ai déjà payé',
  'expired.paidText':
    'Ne payez pas deux fois. Saisissez la référence de votre paiement pour que nous puissions le retrouver.',
  'expired.paidWait': 'Ne payez pas deux fois. Nous informerons la boutique dès l’arrivée de votre argent.',
  'expired.enterReference': 'Saisir la référence',

  'reversed.title': 'Paiement remboursé',
  'reversed.text':
    'La somme de {amount} a été remboursée. Elle peut mettre quelques jours à apparaître sur votre compte.',

  'status.newLink': 'Demandez un nouveau lien à la boutique.',

  // Why a payment failed
  'reason.funds': 'Votre banque indique que la provision de ce compte est insuffisante.',
  'reason.declined': 'Votre banque a refusé le paiement.',
  'reason.authentication': 'La validation dans votre application a échoué.',
  'reason.cancelled': 'Le paiement a été annulé auprès de votre banque.',
  'reason.bankDown': 'Votre banque est indisponible pour le moment. Essayez une autre banque.',
  'reason.limit': 'Le montant dépasse le plafond de votre compte ou de ce moyen de paiement.',
  'reason.account': 'Ce compte ne peut pas être utilisé pour ce paiement.',
  'reason.timeout': 'Le paiement n’a pas été validé à temps.',
  'reason.returned': 'L’argent vous a été renvoyé.',
  'reason.unknown': 'Le paiement n’a pas pu aboutir.',
  'action.askBank': 'Votre banque peut vous en indiquer la raison.',

  // Screens of errors
  'error.code': 'Code d’incident',
  'error.linkInvalid': 'Ce lien de paiement n’est plus valide',
  'error.linkInvalidText':
    'Pour votre sécurité, les liens de paiement ont une durée de validité limitée. L’ouverture de celui-ci n’a entraîné aucun débit.',
  'error.linkInvalidAction':
    'Si vous n’avez pas encore payé, retournez à la boutique et recommencez le paiement.',
  'error.linkIncomplete': 'Ce lien de paiement est incomplet',
  'error.linkIncompleteText':
    'Aucun montant n’a été débité. Retournez à la boutique et recommencez le paiement.',
  'error.shopDetails': 'La boutique a transmis des informations incomplètes',
  'error.shopDetailsText': 'Aucun montant n’a été débité. Veuillez contacter la boutique.',
  'error.returnAddress': 'L’adresse de retour de la boutique n’est pas enregistrée',
  'error.returnAddressText':
    'Pour votre sécurité, nous ne pouvons pas continuer. Aucun montant n’a été débité.',
  'error.unknownPayment': 'Ce paiement est introuvable',
  'error.unknownPaymentText': 'Il n’a peut-être pas été commencé.',
  'error.noOptions': 'Ce montant ne peut pas être payé ici',
  'error.noOptionsText': 'Les moyens de paiement de cette boutique ne permettent pas de payer {amount}.',
  'error.unreachable': 'Le service de paiement est injoignable',
  'error.unreachableText': 'Aucun montant n’a été débité. Nous conservons vos informations et réessayons.',
  'error.unreachableUnsure':
    'Ne payez pas une deuxième fois. Nous conservons vos informations et vérifions l’état de votre paiement.',
  'error.busy': 'Les paiements sont très nombreux en ce moment',
  'error.busyText': 'Aucun montant n’a été débité. Nous réessayons dans un instant.',
  'error.limited': 'Veuillez patienter un instant',
  'error.limitedText':
    'Trop de requêtes sont venues de votre connexion. Votre paiement n’en est pas affecté.',
  'error.unexpected': 'Un problème est survenu de notre côté',
  'error.unexpectedText': 'Veuillez réessayer. Si cela se reproduit, communiquez ce code à la boutique.',
  'error.forbidden': 'Ce formulaire n’a pas été envoyé depuis notre page',
  'error.forbiddenText':
    'Pour votre sécurité, nous ne l’avons pas traité. Rouvrez le paiement depuis la boutique.',
  'error.notFound': 'Page introuvable',
  'error.notFoundText': 'Utilisez le lien que vous avez reçu de la boutique.',
} as const satisfies Record<keyof typeof source, Message>
