import type { pay as source } from '../en/pay.ts'
import type { Message } from '../message.ts'

/**
 * French: the payment exists and waits: at the institution, for a transfer, for a reference, for a confirmation.
 * What the transfer carries is its libellé; what the app shows after paying is the référence.
 */
export const pay = {
  // On the way to the institution
  'redirect.title': 'Poursuivez chez {operator}',
  'redirect.text':
    'Validez-y le paiement de {amount} à {payee}. Vous reviendrez ensuite ici automatiquement.',
  'redirect.textShop': 'Validez-y le paiement de {amount}. Vous reviendrez ensuite ici automatiquement.',
  'redirect.go': 'Continuer vers {operator}',
  'redirect.opensApp': 'Ouvre l’application si elle est installée sur ce téléphone.',
  'redirect.phone': 'L’application est sur votre téléphone\u202f?',
  'redirect.phoneText': 'Scannez ce code avec votre téléphone pour y poursuivre le paiement.',
  'redirect.unavailable': '{operator} ne répond pas pour le moment',
  'redirect.unavailableText': 'Aucun montant n’a été débité.',

  'back.title': 'Paiement non terminé chez {operator}',
  'back.text': 'Nous n’avons pas encore reçu votre validation.',
  'back.approved': 'Je l’ai déjà validé',

  // Instructions
  'code.label': 'QR code\u202f: {amount} à {payee}, libellé {reference}',
  'code.lead': 'Scannez le code avec votre application.',
  'code.leadApp': 'Ouvrez votre application ou scannez le code avec un autre téléphone.',
  'code.leadWallet': 'Ouvrez votre portefeuille ou scannez le code avec celui-ci.',
  'code.enlarge': 'Agrandir',
  'code.otherPhone': 'Scanner avec un autre téléphone',
  'code.copyCode': 'Copier le code',
  'code.copyHint': 'Copiez le code et collez-le dans votre application.',
  'code.paymentCode': 'Code de paiement',
  'code.openApp': 'Ouvrir dans l’application',
  'code.noApp':
    'Aucune application ne s’est ouverte\u202f? Copiez le code et collez-le dans votre application, ou scannez-le avec un autre téléphone.',

  'transfer.title': 'Virement depuis votre banque',
  'transfer.lead': 'Copiez ces informations dans l’application de votre banque.',
  'transfer.leadScan': 'Scannez le code avec l’application de votre banque ou saisissez les informations.',
  'transfer.leadApp': 'Ouvrez l’application de votre banque ou copiez-y ces informations.',
  'transfer.details': 'Informations de paiement',
  'transfer.payee': 'Bénéficiaire',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'Numéro de compte',
  'transfer.address': 'Adresse',
  'transfer.bank': 'Banque',
  'transfer.bankCode': 'Code banque',
  'transfer.bankTitle': 'Banque et code banque',
  'transfer.amount': 'Montant',
  'transfer.reference': 'Libellé',
  'transfer.referenceRule':
    'Recopiez exactement ce libellé. Sans lui, nous ne pouvons pas identifier votre paiement.',
  'transfer.late': 'L’argent qui arrive après ce délai n’est pas perdu\u202f: nous en informons la boutique.',
  'transfer.lateTitle': 'Et si je paie en retard\u202f?',
  'transfer.save': 'Enregistrer ces informations',

  'deadline.payBefore': 'À payer avant\u202f: {moment}',
  'countdown.minutes': {
    one: 'Encore {count} minute',
    many: 'Encore {count} de minutes',
    other: 'Encore {count} minutes',
  },
  'countdown.over': 'Le délai est écoulé. Nous vérifions si votre paiement est arrivé.',

  'waitFor.title': 'En attente de votre paiement…',
  'waitFor.text':
    'Cette page s’actualise automatiquement. Vous pouvez la fermer\u202f; nous informerons la boutique dans tous les cas.',
  'waitFor.textNoScript': 'Cette page est rechargée toutes les 20\u00a0secondes.',
  'waitFor.paid': 'J’ai payé',
  'waitFor.phone': 'Continuer sur votre téléphone',
  'waitFor.phoneCode': 'QR code\u202f: cette page sur votre téléphone',

  'partial.title': 'Une partie de la somme est arrivée',
  'partial.text': 'Nous avons reçu {received} sur {amount}.',
  'partial.rest': 'Veuillez envoyer le solde de {rest} avec le même libellé.',
  'partial.restLabel': 'Reste à payer',

  // External reference
  'reference.title': 'Saisissez la référence du paiement',
  'reference.text':
    'Après le paiement, votre application affiche une référence. Elle nous aide à retrouver votre paiement.',
  'reference.where': 'Où la trouver\u202f?',
  'reference.whereApp':
    'Ouvrez le paiement dans votre application. La référence figure dans le détail du paiement.',
  'reference.whereReceipt': 'Si vous avez payé au guichet, elle figure sur votre reçu.',
  'reference.send': 'Envoyer la référence',
  'reference.cannotFind': 'Je ne la trouve pas',
  'reference.thanks': 'Merci. Nous recherchons votre paiement.',
  'reference.correct': 'Corriger la référence',
  'reference.refused': 'Cette référence n’a pas été acceptée. Veuillez la vérifier.',

  // Waiting for a confirmation
  'waiting.title': 'Votre paiement est en cours de confirmation',
  'waiting.timeline': 'Étapes déjà franchies',
  'waiting.sent': 'Informations envoyées',
  'waiting.referenceSent': 'Référence envoyée',
  'waiting.confirming': 'En attente de confirmation',
  'waiting.usual': 'Cela prend en général moins de 2\u00a0minutes. Ne payez pas une deuxième fois.',
  'waiting.long': 'Cela prend plus de temps que d’habitude. Ne payez pas une deuxième fois.',
  'waiting.longText':
    'Vous pouvez quitter la page\u202f: nous informerons la boutique et ce lien affichera toujours le résultat.',
  'waiting.review': 'Notre équipe vérifie votre paiement.',
  'waiting.copyLink': 'Copier le lien de cette page',
  'waiting.link': 'Lien de cette page',

  'live.changed': 'L’état de votre paiement a changé.',
  'live.show': 'Afficher le nouvel état',
  'offline.text': 'Vous êtes hors ligne. Le paiement reprendra dès votre reconnexion.',
  'offline.back': 'Vous êtes de nouveau en ligne.',
} as const satisfies Record<keyof typeof source, Message>
