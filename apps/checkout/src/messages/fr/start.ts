import type { start as source } from '../en/start.ts'
import type { Message } from '../message.ts'

/**
 * French: the frame of every screen, and the screens before the payment exists. `\u202f` is the narrow no-break space
 * before marks of two parts and inside of quotes.
 */
export const start = {
  // Frame
  'frame.skip': 'Aller au contenu',
  'frame.sandbox': 'SANDBOX – pas d’argent réel',
  'frame.orderNumber': 'Numéro de commande',
  'frame.changeLanguage': 'Changer de langue',
  'frame.support': 'Contacter {shop}',
  'frame.secured': 'Sécurisé par {operator}',
  'frame.trust':
    'Connexion chiffrée. La boutique voit que vous avez payé, jamais vos identifiants bancaires.',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': 'Payer {amount}',
  'title.paid': 'Payé\u202f: {amount}',
  'title.notPaid': 'Non payé',
  'title.inProgress': 'Paiement en cours',
  'title.faulty': 'À vérifier\u202f: {title}',

  // Actions of many screens
  'common.change': 'Modifier',
  'common.close': 'Fermer',
  'common.copyWhat': 'Copier\u202f: {label}',
  'common.copied': 'Copié\u202f: {label}',
  'common.copiedShort': 'Copié',
  'common.copyFailed': 'Appuyez longuement pour copier',
  'common.optional': 'facultatif',
  'common.printOrSave': 'Imprimer ou enregistrer',
  'common.share': 'Partager',
  'common.sending': 'Envoi en cours…',
  'common.stay': 'Rester ici',
  'common.stop': 'Arrêter',
  'common.tryAgain': 'Réessayer',
  'common.tryNow': 'Essayer maintenant',
  'common.returnTo': 'Retourner sur {host}',
  'common.cancelAndReturnTo': 'Annuler et retourner sur {host}',

  // Going on without a click
  'proceed.continuing': {
    one: 'Redirection automatique dans {count} seconde.',
    many: 'Redirection automatique dans {count} de secondes.',
    other: 'Redirection automatique dans {count} secondes.',
  },
  'proceed.returning': {
    one: 'Retour à la boutique dans {count} seconde.',
    many: 'Retour à la boutique dans {count} de secondes.',
    other: 'Retour à la boutique dans {count} secondes.',
  },
  'proceed.retrying': {
    one: 'Nouvel essai dans {count} seconde.',
    many: 'Nouvel essai dans {count} de secondes.',
    other: 'Nouvel essai dans {count} secondes.',
  },

  // Leaving
  'leave.title': 'Votre paiement n’est pas terminé. Quitter la page\u202f?',
  'leave.text':
    'Votre paiement reste ouvert. Vous pouvez revenir sur cette page jusqu’à la date limite\u202f: {moment}.',
  'leave.paid': 'Si vous avez déjà payé, ne payez pas à nouveau\u202f: nous informerons la boutique.',
  'leave.stay': 'Rester sur la page',
  'leave.go': 'Quitter la page',

  // Methods and operators
  'choose.title': 'Comment souhaitez-vous payer\u202f?',
  'choose.bank': 'Choisissez votre banque',
  'choose.wallet': 'Choisissez votre portefeuille',
  'choose.searchBank': 'Rechercher votre banque',
  'choose.searchWallet': 'Rechercher votre portefeuille',
  'choose.searchHint': 'Nom ou BIC',
  'choose.popular': 'Les plus utilisés',
  'choose.otherBanks': 'Autres banques',
  'choose.otherWallets': 'Autres portefeuilles',
  'choose.unavailable': 'Temporairement indisponible',
  'choose.closed': 'Indisponible pour le moment',
  'choose.limitReached': 'Plafond du jour atteint',
  'choose.limitReachedOf':
    'Le plafond du jour est atteint pour ce moyen de paiement\u202f: {method}. Veuillez en choisir un autre.',
  'choose.delayed': 'Plus lent que d’habitude en ce moment',
  'choose.bankNotListed': 'Ma banque n’est pas dans la liste',
  'choose.walletNotListed': 'Mon portefeuille n’est pas dans la liste',
  'choose.chooseAnotherWay': 'Choisir un autre moyen de paiement',
  'choose.results': {
    one: '{count} résultat',
    many: '{count} de résultats',
    other: '{count} résultats',
  },
  'choose.noResults': 'Aucun résultat. Vérifiez l’orthographe ou choisissez un autre moyen de paiement.',
  'choose.suggestedUnavailable':
    'Le moyen de paiement proposé n’est pas disponible pour ce montant. Veuillez en choisir un autre.',

  'method.BANK_TRANSFER': 'Virement bancaire',
  'method.ONLINE_BANKING': 'Banque en ligne',
  'method.WALLET': 'Portefeuille électronique',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'Virement avec référence',
  'method.CRYPTO': 'Cryptomonnaie',

  'flow.REDIRECT': 'Validez le paiement auprès de votre banque ou dans votre portefeuille.',
  'flow.INSTRUCTIONS': 'Copiez les informations dans l’application de votre banque.',
  'flow.QR': 'Scannez un code ou payez dans une application.',
  'flow.REFERENCE': 'Payez dans l’application de votre banque et saisissez la référence ici.',

  'speed.INSTANT': 'Immédiat',
  'speed.MINUTES': 'Quelques minutes',
  'speed.HOURS': 'Quelques heures',
  'speed.DAYS': 'Quelques jours',

  // Details
  'details.title': 'Vos coordonnées',
  'details.providedBy': 'Informations fournies par {shop}',
  'details.providedByShop': 'Informations fournies par la boutique',
  'details.pay': 'Payer {amount}',
  'details.showCode': 'Afficher le QR code',
  'details.showInstructions': 'Afficher les instructions',
  'details.continueTo': 'Continuer vers {operator}',
  'details.faults': {
    one: 'Veuillez corriger {count} champ',
    many: 'Veuillez corriger {count} de champs',
    other: 'Veuillez corriger {count} champs',
  },

  // Confirmation
  'confirm.title': 'Payer {amount} à {shop} via {method}',
  'confirm.titleShop': 'Payer {amount} via {method}',
  'confirm.with': 'Payer via {method}',
  'confirm.text': 'Rien n’est débité tant que vous n’avez pas appuyé sur le bouton.',
} as const satisfies Record<keyof typeof source, Message>
