import type { start as english } from '../en/start.ts'
import type { Message } from '../message.ts'

/** In Brazilian Portuguese: the frame of every screen, and the screens before the payment exists. */
export const start = {
  // Frame
  'frame.skip': 'Ir para o conteúdo',
  'frame.sandbox': 'SANDBOX – sem dinheiro real',
  'frame.orderNumber': 'Número do pedido',
  'frame.changeLanguage': 'Mudar idioma',
  'frame.support': 'Fale com {shop}',
  'frame.secured': 'Pagamento protegido por {operator}',
  'frame.trust': 'Conexão criptografada. A loja vê que você pagou, nunca sua senha do banco.',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': 'Pagar {amount}',
  'title.paid': 'Pago: {amount}',
  'title.notPaid': 'Não pago',
  'title.inProgress': 'Pagamento em andamento',
  'title.faulty': 'Verifique: {title}',

  // Actions of many screens
  'common.change': 'Alterar',
  'common.close': 'Fechar',
  'common.copyWhat': 'Copiar: {label}',
  'common.copied': 'Copiado: {label}',
  'common.copiedShort': 'Copiado',
  'common.copyFailed': 'Toque e segure para copiar',
  'common.optional': 'opcional',
  'common.printOrSave': 'Imprimir ou salvar',
  'common.share': 'Compartilhar',
  'common.sending': 'Enviando…',
  'common.stay': 'Ficar aqui',
  'common.stop': 'Parar',
  'common.tryAgain': 'Tentar novamente',
  'common.tryNow': 'Tentar agora',
  'common.returnTo': 'Voltar para {host}',
  'common.cancelAndReturnTo': 'Cancelar e voltar para {host}',

  // Going on without a click
  'proceed.continuing': {
    one: 'Redirecionamento automático em {count} segundo.',
    many: 'Redirecionamento automático em {count} de segundos.',
    other: 'Redirecionamento automático em {count} segundos.',
  },
  'proceed.returning': {
    one: 'Voltando para a loja em {count} segundo.',
    many: 'Voltando para a loja em {count} de segundos.',
    other: 'Voltando para a loja em {count} segundos.',
  },
  'proceed.retrying': {
    one: 'Nova tentativa em {count} segundo.',
    many: 'Nova tentativa em {count} de segundos.',
    other: 'Nova tentativa em {count} segundos.',
  },

  // Leaving
  'leave.title': 'Seu pagamento ainda não foi concluído. Sair desta página?',
  'leave.text': 'Seu pagamento fica aberto até {moment}. Até lá, você pode voltar a esta página.',
  'leave.paid': 'Se você já pagou, não pague de novo: avisaremos a loja.',
  'leave.stay': 'Ficar nesta página',
  'leave.go': 'Sair desta página',

  // Methods and operators
  'choose.title': 'Como você quer pagar?',
  'choose.bank': 'Escolha seu banco',
  'choose.wallet': 'Escolha sua carteira digital',
  'choose.searchBank': 'Busque seu banco',
  'choose.searchWallet': 'Busque sua carteira digital',
  'choose.searchHint': 'Nome ou BIC',
  'choose.popular': 'Mais usados',
  'choose.otherBanks': 'Outros bancos',
  'choose.otherWallets': 'Outras carteiras digitais',
  'choose.unavailable': 'Temporariamente indisponível',
  'choose.closed': 'Indisponível no momento',
  'choose.limitReached': 'Limite diário atingido',
  'choose.limitReachedOf': 'O limite diário desta forma de pagamento foi atingido: {method}. Escolha outra.',
  'choose.delayed': 'Mais lento que o normal no momento',
  'choose.bankNotListed': 'Meu banco não está na lista',
  'choose.walletNotListed': 'Minha carteira digital não está na lista',
  'choose.chooseAnotherWay': 'Escolher outra forma de pagamento',
  'choose.results': {
    one: '{count} resultado',
    many: '{count} resultados',
    other: '{count} resultados',
  },
  'choose.noResults': 'Nada encontrado. Confira a grafia ou escolha outra forma de pagamento.',
  'choose.suggestedUnavailable':
    'A forma de pagamento sugerida não está disponível para este valor. Escolha outra.',

  'method.BANK_TRANSFER': 'Transferência bancária',
  'method.ONLINE_BANKING': 'Internet banking',
  'method.WALLET': 'Carteira digital',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'Transferência com ID da transação',
  'method.CRYPTO': 'Criptomoeda',

  'flow.REDIRECT': 'Autorize o pagamento no seu banco ou carteira digital.',
  'flow.INSTRUCTIONS': 'Copie os dados no aplicativo do seu banco.',
  'flow.QR': 'Escaneie um código ou pague em um aplicativo.',
  'flow.REFERENCE': 'Pague no aplicativo do seu banco e informe aqui o ID da transação.',

  'speed.INSTANT': 'Na hora',
  'speed.MINUTES': 'Minutos',
  'speed.HOURS': 'Horas',
  'speed.DAYS': 'Alguns dias',

  // Details
  'details.title': 'Seus dados',
  'details.providedBy': 'Dados informados por {shop}',
  'details.providedByShop': 'Dados informados pela loja',
  'details.pay': 'Pagar {amount}',
  'details.showCode': 'Ver QR Code',
  'details.showInstructions': 'Ver dados para pagamento',
  'details.continueTo': 'Continuar em {operator}',
  'details.faults': {
    one: 'Corrija {count} campo',
    many: 'Corrija {count} campos',
    other: 'Corrija {count} campos',
  },

  // Confirmation
  'confirm.title': 'Pagar {amount} para {shop} via {method}',
  'confirm.titleShop': 'Pagar {amount} via {method}',
  'confirm.with': 'Pagar via {method}',
  'confirm.text': 'Nada será cobrado antes de você tocar no botão.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>
