import { developer } from './developer.ts'
import type { en } from './en.ts'
import type { Message } from './message.ts'

/** French. Has exactly the keys of the English one, or does not compile. */
export const fr = {
  // The frame of every screen, and the screens before the payment exists. `\u202f` is the narrow no-break space
  // before marks of two parts and inside of quotes.

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

  // What customers type in: labels, hints, and what can be wrong with it.
  'field.accountName': 'Nom du titulaire du compte',
  'field.accountName.hint': 'Tel qu’il figure sur votre compte bancaire.',
  'field.iban': 'IBAN',
  'field.iban.hint':
    'Il figure dans votre application bancaire ou sur votre RIB. Il commence par deux lettres, par ex. {example}.',
  'field.accountNumber': 'Numéro de compte',
  'field.accountNumber.hint': 'Il figure dans votre application bancaire ou sur un relevé de compte.',
  'field.bankCode': 'Code banque',
  'field.bankCode.hint': 'BIC, IFSC ou sort code de votre banque.',
  'field.emailAddress': 'Adresse e-mail',
  'field.emailAddress.hint': 'Nous l’utilisons uniquement pour ce paiement.',
  'field.vpa': 'Identifiant UPI',
  'field.vpa.hint': 'Il ressemble à {example}.',
  'field.walletAccount': 'Compte du portefeuille',
  'field.walletAccount.hint': 'Le numéro de téléphone, l’e-mail ou le nom associé à votre portefeuille.',
  'field.address': 'Adresse de votre portefeuille',
  'field.address.hint': 'En cas de remboursement, nous envoyons l’argent à cette adresse.',
  'field.reference': 'Référence du paiement',
  'field.reference.hint': 'Elle figure dans le détail du paiement dans votre application, ou sur le reçu.',
  'field.rrn': 'Identifiant de transaction UPI (UTR)',
  'field.rrn.hint':
    '12 chiffres, dans votre application sous «\u202fUPI transaction ID\u202f» ou «\u202fUTR\u202f».',
  'field.neftUtr': 'UTR du virement NEFT',
  'field.neftUtr.hint': '16 lettres et chiffres, dans le détail du virement.',
  'field.rtgsUtr': 'UTR du virement RTGS',
  'field.rtgsUtr.hint': '22 lettres et chiffres\u202f; le cinquième caractère est un R.',
  'field.endToEndId': 'Identifiant de transaction Pix',
  'field.endToEndId.hint': '32 caractères commençant par E, sur le reçu (comprovante).',
  'field.transactionId': 'Identifiant de transaction',
  'field.transactionId.hint': 'Votre portefeuille l’affiche après l’envoi.',

  'fault.required': 'Champ obligatoire\u202f: {label}.',
  'fault.tooLong': {
    one: '{count} caractère au maximum\u202f; vous en avez saisi {typed}.',
    many: '{count} de caractères au maximum\u202f; vous en avez saisi {typed}.',
    other: '{count} caractères au maximum\u202f; vous en avez saisi {typed}.',
  },
  'fault.characters': 'Ce caractère n’est pas autorisé ici\u202f: {character}',
  'fault.pattern': 'Cette saisie semble incorrecte. Veuillez la comparer avec l’original.',

  'fault.iban.country': 'Un IBAN commence par un code pays de deux lettres\u202f; {country} n’en est pas un.',
  'fault.iban.tooShort': {
    one: 'Un IBAN commençant par {country} compte {count} caractère\u202f; vous en avez saisi {typed}.',
    many: 'Un IBAN commençant par {country} compte {count} de caractères\u202f; vous en avez saisi {typed}.',
    other: 'Un IBAN commençant par {country} compte {count} caractères\u202f; vous en avez saisi {typed}.',
  },
  'fault.iban.tooLong': {
    one: 'Un IBAN commençant par {country} compte seulement {count} caractère\u202f; vous en avez saisi {typed}.',
    many: 'Un IBAN commençant par {country} compte seulement {count} de caractères\u202f; vous en avez saisi {typed}.',
    other:
      'Un IBAN commençant par {country} compte seulement {count} caractères\u202f; vous en avez saisi {typed}.',
  },
  'fault.iban.checkDigits': 'Cet IBAN contient une faute de frappe. Veuillez vérifier chaque caractère.',
  'fault.iban.character': 'Un IBAN ne contient que des lettres et des chiffres, pas {character}.',

  'fault.vpa': 'Un identifiant UPI ressemble à {example}.',
  'fault.email': 'Une adresse e-mail ressemble à {example}.',
  'fault.reference.digits': {
    one: 'Cette référence compte {count} chiffre\u202f; vous en avez saisi {typed}.',
    many: 'Cette référence compte {count} de chiffres\u202f; vous en avez saisi {typed}.',
    other: 'Cette référence compte {count} chiffres\u202f; vous en avez saisi {typed}.',
  },
  'fault.reference.length': {
    one: 'Cette référence compte {count} caractère\u202f; vous en avez saisi {typed}.',
    many: 'Cette référence compte {count} de caractères\u202f; vous en avez saisi {typed}.',
    other: 'Cette référence compte {count} caractères\u202f; vous en avez saisi {typed}.',
  },
  'fault.reference.digitsOnly': 'Cette référence ne contient que des chiffres, pas {character}.',
  'fault.reference.characters':
    'Cette référence ne contient que des lettres et des chiffres, pas {character}.',
  'fault.reference.rtgs': 'Le cinquième caractère de cette référence est un R.',
  'fault.reference.start': 'Cette référence commence par {start}.',
  'fault.name': 'Le nom doit comporter des lettres.',

  // The payment exists and waits: at the institution, for a transfer, for a reference, for a confirmation.
  // What the transfer carries is its libellé; what the app shows after paying is the référence.

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
  'code.openWallet': 'Ouvrir le portefeuille',
  'code.noApp':
    'Aucune application ne s’est ouverte\u202f? Copiez le code et collez-le dans votre application, ou scannez-le avec un autre téléphone.',

  'wallet.network': 'Réseau',
  'wallet.only':
    'Envoyez uniquement des {currency} sur {network}. Les autres jetons ou réseaux ne peuvent pas être crédités.',
  'wallet.detected': 'Votre paiement a été détecté. La confirmation prend quelques minutes.',
  'wallet.confirmations': 'Confirmations\u202f: {count} sur {needed}',

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
  'partial.restOfCoins': 'Veuillez envoyer le solde de {rest} à la même adresse.',
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

  // How a payment goes on, and how it is taken to another device.
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

  // The end of a payment: results, receipt, reasons; and the screens of errors.
  'paid.title': 'Paiement effectué',
  'paid.text': 'Merci. La boutique a été informée.',
  'paid.late': 'Votre argent est arrivé après la fin du délai de paiement. La boutique a été informée.',
  'paid.different': 'Nous avons reçu {received} au lieu de {amount}. La boutique a été informée.',
  'paid.contact': 'Pour toute question, veuillez contacter la boutique.',

  'refunded.title': 'Paiement remboursé',
  'refunded.text':
    'Le montant de {refunded} a été remboursé. Il peut mettre quelques jours à arriver sur votre compte.',
  'refunded.part':
    '{refunded} sur {amount} ont été remboursés. Le remboursement peut mettre quelques jours à arriver sur votre compte.',

  'receipt.title': 'Reçu',
  'receipt.payee': 'Bénéficiaire',
  'receipt.amount': 'Montant',
  'receipt.refunded': 'Remboursé',
  'receipt.moment': 'Date et heure',
  'receipt.method': 'Moyen de paiement',
  'receipt.reference': 'Référence du paiement',
  'receipt.bankReference': 'Référence de la banque',
  'receipt.shareTitle': 'Reçu\u202f: {amount}',
  'receipt.shareText': 'Payé\u202f: {amount}, commande {order}',

  'notPaid.title': 'Le paiement n’a pas abouti',
  'notPaid.noMoney': 'Aucun montant n’a été débité.',
  'notPaid.returned': 'Il peut mettre quelques jours à arriver sur votre compte.',
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
  'error.methodFixed': 'Ce moyen de paiement est indisponible pour le moment',
  'error.methodFixedText':
    'La boutique l’a choisi pour ce paiement. Aucun montant n’a été débité. Retournez à la boutique pour payer autrement.',
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

  ...developer,
} as const satisfies Readonly<Record<keyof typeof en, Message>>
