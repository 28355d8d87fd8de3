import { developer } from './developer.ts'
import type { en } from './en.ts'
import type { Message } from './message.ts'

/** Brazilian Portuguese. Has exactly the keys of the English one, or does not compile. */
export const ptBR = {
  // The frame of every screen, and the screens before the payment exists.

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

  // What customers type in, its labels and hints, and what can be wrong with it.
  'field.accountName': 'Nome do titular da conta',
  'field.accountName.hint': 'Como consta na sua conta bancária.',
  'field.iban': 'IBAN',
  'field.iban.hint': 'Está no aplicativo do seu banco. Começa com duas letras, p. ex. {example}.',
  'field.accountNumber': 'Número da conta',
  'field.accountNumber.hint': 'Está no aplicativo do seu banco ou em um extrato.',
  'field.bankCode': 'Código do banco',
  'field.bankCode.hint': 'BIC, IFSC ou sort code do seu banco.',
  'field.emailAddress': 'E-mail',
  'field.emailAddress.hint': 'Usamos apenas para este pagamento.',
  'field.vpa': 'ID UPI',
  'field.vpa.hint': 'Tem este formato: {example}.',
  'field.walletAccount': 'Chave Pix ou conta da carteira digital',
  'field.walletAccount.hint': 'Sua chave Pix, ou o celular, e-mail ou nome que você usa na carteira digital.',
  'field.address': 'Endereço da sua carteira',
  'field.address.hint': 'Se for necessário, devolvemos o valor para este endereço.',
  'field.reference': 'ID da transação',
  'field.reference.hint': 'Está nos detalhes do pagamento no seu aplicativo ou no comprovante.',
  'field.rrn': 'ID da transação UPI (UTR)',
  'field.rrn.hint': '12 dígitos, no seu aplicativo em “UPI transaction ID” ou “UTR”.',
  'field.neftUtr': 'UTR da transferência NEFT',
  'field.neftUtr.hint': '16 letras e dígitos, nos detalhes da transferência.',
  'field.rtgsUtr': 'UTR da transferência RTGS',
  'field.rtgsUtr.hint': '22 letras e dígitos; o quinto é um R.',
  'field.endToEndId': 'ID da transação Pix (EndToEnd)',
  'field.endToEndId.hint': '32 caracteres que começam com E, no comprovante do Pix.',
  'field.transactionId': 'ID da transação',
  'field.transactionId.hint': 'Sua carteira mostra o ID depois do envio.',

  'fault.required': 'Campo obrigatório: {label}.',
  'fault.tooLong': {
    one: 'É permitido no máximo {count} caractere; você digitou {typed}.',
    many: 'São permitidos no máximo {count} caracteres; você digitou {typed}.',
    other: 'São permitidos no máximo {count} caracteres; você digitou {typed}.',
  },
  'fault.characters': 'Este caractere não é permitido aqui: {character}',
  'fault.pattern': 'Parece haver um erro. Compare com o original.',

  'fault.iban.country':
    'Um IBAN começa com um código de país de duas letras; {country} não é um código de país.',
  'fault.iban.tooShort': {
    one: 'Um IBAN que começa com {country} tem {count} caractere; você digitou {typed}.',
    many: 'Um IBAN que começa com {country} tem {count} caracteres; você digitou {typed}.',
    other: 'Um IBAN que começa com {country} tem {count} caracteres; você digitou {typed}.',
  },
  'fault.iban.tooLong': {
    one: 'Um IBAN que começa com {country} tem só {count} caractere; você digitou {typed}.',
    many: 'Um IBAN que começa com {country} tem só {count} caracteres; você digitou {typed}.',
    other: 'Um IBAN que começa com {country} tem só {count} caracteres; você digitou {typed}.',
  },
  'fault.iban.checkDigits': 'Este IBAN tem um erro de digitação. Confira todos os caracteres.',
  'fault.iban.character': 'Um IBAN tem apenas letras e dígitos, não {character}.',

  'fault.vpa': 'Um ID UPI tem este formato: {example}.',
  'fault.email': 'Um e-mail tem este formato: {example}.',
  'fault.reference.digits': {
    one: 'Este código tem {count} dígito; você digitou {typed}.',
    many: 'Este código tem {count} dígitos; você digitou {typed}.',
    other: 'Este código tem {count} dígitos; você digitou {typed}.',
  },
  'fault.reference.length': {
    one: 'Este código tem {count} caractere; você digitou {typed}.',
    many: 'Este código tem {count} caracteres; você digitou {typed}.',
    other: 'Este código tem {count} caracteres; você digitou {typed}.',
  },
  'fault.reference.digitsOnly': 'Este código tem apenas dígitos, não {character}.',
  'fault.reference.characters': 'Este código tem apenas letras e dígitos, não {character}.',
  'fault.reference.rtgs': 'O quinto caractere deste código é um R.',
  'fault.reference.start': 'Este código começa com {start}.',
  'fault.name': 'O nome precisa ter letras.',

  // The payment exists and waits, at the institution, for a transfer or a confirmation.

  // On the way to the institution
  'redirect.title': 'Continue em {operator}',
  'redirect.text':
    'Autorize lá o pagamento de {amount} para {payee}. Depois, você volta para cá automaticamente.',
  'redirect.textShop': 'Autorize lá o pagamento de {amount}. Depois, você volta para cá automaticamente.',
  'redirect.go': 'Continuar em {operator}',
  'redirect.opensApp': 'Abre o aplicativo, se estiver instalado neste celular.',
  'redirect.phone': 'O aplicativo está no seu celular?',
  'redirect.phoneText': 'Escaneie este código com o celular para continuar nele.',
  'redirect.unavailable': '{operator} não está respondendo no momento',
  'redirect.unavailableText': 'Nada foi cobrado.',

  'back.title': 'O pagamento em {operator} não foi concluído',
  'back.text': 'Ainda não recebemos sua autorização.',
  'back.approved': 'Já autorizei',

  // Instructions
  'code.label': 'QR Code: {amount} para {payee}, identificador {reference}',
  'code.lead': 'Escaneie o código com seu aplicativo.',
  'code.leadApp': 'Abra seu aplicativo ou escaneie o código com outro celular.',
  'code.leadWallet': 'Abra sua carteira ou escaneie o código com ela.',
  'code.enlarge': 'Ampliar',
  'code.otherPhone': 'Escanear com outro celular',
  'code.copyCode': 'Copiar código',
  'code.copyHint': 'Copie o código e cole no seu aplicativo.',
  'code.paymentCode': 'Código copia e cola',
  'code.openApp': 'Abrir no aplicativo',
  'code.openWallet': 'Abrir a carteira',
  'code.noApp':
    'Nenhum aplicativo abriu? Copie o código e cole no seu aplicativo, ou escaneie com outro celular.',

  'wallet.network': 'Rede',
  'wallet.only':
    'Envie somente {currency} pela rede {network}. Outras moedas ou redes não podem ser creditadas.',
  'wallet.detected': 'Seu pagamento foi detectado. A confirmação leva alguns minutos.',
  'wallet.confirmations': 'Confirmações: {count} de {needed}',

  'transfer.title': 'Transferência do seu banco',
  'transfer.lead': 'Copie estes dados no aplicativo do seu banco.',
  'transfer.leadScan': 'Escaneie o código com o aplicativo do seu banco ou digite os dados.',
  'transfer.leadApp': 'Abra o aplicativo do seu banco ou copie nele estes dados.',
  'transfer.details': 'Dados para pagamento',
  'transfer.payee': 'Recebedor',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'Número da conta',
  'transfer.address': 'Endereço',
  'transfer.bank': 'Banco',
  'transfer.bankCode': 'Código do banco',
  'transfer.bankTitle': 'Banco e código do banco',
  'transfer.amount': 'Valor',
  'transfer.reference': 'Identificador',
  'transfer.referenceRule': 'Escreva exatamente assim. Sem isso, não conseguimos localizar seu pagamento.',
  'transfer.late': 'O dinheiro que chegar depois do prazo não se perde: avisaremos a loja.',
  'transfer.lateTitle': 'E se eu pagar com atraso?',
  'transfer.save': 'Salvar estes dados',

  'deadline.payBefore': 'Pague até {moment}',
  'countdown.minutes': {
    one: 'Resta {count} minuto',
    many: 'Restam {count} minutos',
    other: 'Restam {count} minutos',
  },
  'countdown.over': 'O prazo terminou. Estamos verificando se seu pagamento chegou.',

  'waitFor.title': 'Aguardando seu pagamento…',
  'waitFor.text':
    'Esta página se atualiza automaticamente. Você pode fechá-la; avisaremos a loja de qualquer forma.',
  'waitFor.textNoScript': 'Esta página é recarregada a cada 20 segundos.',
  'waitFor.paid': 'Já paguei',
  'waitFor.phone': 'Continuar no celular',
  'waitFor.phoneCode': 'QR Code: esta página no seu celular',

  'partial.title': 'Parte do dinheiro chegou',
  'partial.text': 'Recebemos {received} de {amount}.',
  'partial.rest': 'Envie o valor restante de {rest} com o mesmo identificador.',
  'partial.restOfCoins': 'Envie o valor restante de {rest} para o mesmo endereço.',
  'partial.restLabel': 'Falta pagar',

  // External reference
  'reference.title': 'Informe o ID da transação',
  'reference.text':
    'Depois do pagamento, seu aplicativo mostra o ID da transação. Ele nos ajuda a localizar seu pagamento.',
  'reference.where': 'Onde encontro?',
  'reference.whereApp': 'Abra o pagamento no seu aplicativo. O ID está nos detalhes ou no comprovante.',
  'reference.whereReceipt': 'Se você pagou em um caixa, está no comprovante.',
  'reference.send': 'Enviar ID',
  'reference.cannotFind': 'Não encontro o ID',
  'reference.thanks': 'Obrigado. Estamos procurando seu pagamento.',
  'reference.correct': 'Corrigir o ID',
  'reference.refused': 'Este ID não foi aceito. Confira o que você digitou.',

  // Waiting for a confirmation
  'waiting.title': 'Seu pagamento está sendo confirmado',
  'waiting.timeline': 'O que já aconteceu',
  'waiting.sent': 'Dados enviados',
  'waiting.referenceSent': 'ID da transação enviado',
  'waiting.confirming': 'Aguardando confirmação',
  'waiting.usual': 'Em geral, leva menos de 2 minutos. Não pague de novo.',
  'waiting.long': 'Está demorando mais que o normal. Não pague de novo.',
  'waiting.longText':
    'Você pode sair desta página: avisaremos a loja, e este link continua mostrando o resultado.',
  'waiting.review': 'Nossa equipe está analisando seu pagamento.',
  'waiting.copyLink': 'Copiar link desta página',
  'waiting.link': 'Link desta página',

  'live.changed': 'A situação do seu pagamento mudou.',
  'live.show': 'Ver nova situação',
  'offline.text': 'Você está sem internet. Continuamos quando a conexão voltar.',
  'offline.back': 'Você está on-line novamente.',

  // How a payment goes on, and how it is taken to another device.
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

  // The end of a payment and its receipt, and the screens of errors.
  'paid.title': 'Pagamento realizado',
  'paid.text': 'Obrigado. A loja foi avisada.',
  'paid.late': 'Seu dinheiro chegou depois do prazo de pagamento. A loja foi avisada.',
  'paid.different': 'Recebemos {received} em vez de {amount}. A loja foi avisada.',
  'paid.contact': 'Em caso de dúvida, fale com a loja.',

  'refunded.title': 'Pagamento reembolsado',
  'refunded.text': 'O valor de {refunded} foi reembolsado. Pode levar alguns dias para entrar na sua conta.',
  'refunded.part':
    'Foram reembolsados {refunded} de {amount}. Pode levar alguns dias para entrar na sua conta.',

  'receipt.title': 'Comprovante',
  'receipt.payee': 'Recebedor',
  'receipt.amount': 'Valor',
  'receipt.refunded': 'Reembolsado',
  'receipt.moment': 'Data e hora',
  'receipt.method': 'Forma de pagamento',
  'receipt.reference': 'Identificador do pagamento',
  'receipt.bankReference': 'ID da transação no banco',
  'receipt.shareTitle': 'Comprovante: {amount}',
  'receipt.shareText': 'Pagamento de {amount}, pedido {order}',

  'notPaid.title': 'Pagamento não concluído',
  'notPaid.noMoney': 'Nenhum valor foi debitado.',
  'notPaid.returned': 'Pode levar alguns dias para entrar na sua conta.',
  'notPaid.perhaps': {
    one: 'Se o valor saiu da sua conta, ele volta em até {count} dia. Identificador: {reference}',
    many: 'Se o valor saiu da sua conta, ele volta em até {count} dias. Identificador: {reference}',
    other: 'Se o valor saiu da sua conta, ele volta em até {count} dias. Identificador: {reference}',
  },
  'notPaid.support': 'Detalhes para o suporte',
  'notPaid.code': 'Código',

  'cancelled.title': 'O pagamento foi cancelado',

  'expired.title': 'O prazo para pagar terminou',
  'expired.text': 'Nada chegou a tempo. Você pode começar de novo na loja.',
  'expired.paid': 'Já paguei',
  'expired.paidText': 'Não pague duas vezes. Informe o ID da transação para localizarmos seu pagamento.',
  'expired.paidWait': 'Não pague duas vezes. Avisaremos a loja assim que seu dinheiro chegar.',
  'expired.enterReference': 'Informar ID',

  'reversed.title': 'Pagamento devolvido',
  'reversed.text': 'O valor de {amount} foi devolvido. Pode levar alguns dias para entrar na sua conta.',

  'status.newLink': 'Peça um novo link à loja.',

  // Why a payment failed
  'reason.funds': 'Seu banco informa que não há saldo suficiente nesta conta.',
  'reason.declined': 'Seu banco não autorizou o pagamento.',
  'reason.authentication': 'A autorização no seu aplicativo não deu certo.',
  'reason.cancelled': 'O pagamento foi cancelado no seu banco.',
  'reason.bankDown': 'Seu banco está indisponível no momento. Tente outro banco.',
  'reason.limit': 'O valor está acima do limite da sua conta ou desta forma de pagamento.',
  'reason.account': 'Esta conta não pode ser usada para este pagamento.',
  'reason.timeout': 'A autorização não chegou a tempo.',
  'reason.returned': 'O dinheiro foi devolvido para você.',
  'reason.unknown': 'Não foi possível concluir o pagamento.',
  'action.askBank': 'Seu banco pode informar o motivo.',

  // Screens of errors
  'error.code': 'Código da ocorrência',
  'error.linkInvalid': 'Este link de pagamento não é mais válido',
  'error.linkInvalidText':
    'Para sua segurança, os links de pagamento funcionam apenas por tempo limitado. Nada foi cobrado ao abrir este link.',
  'error.linkInvalidAction': 'Se você ainda não pagou, volte para a loja e inicie o pagamento de novo.',
  'error.linkIncomplete': 'Este link de pagamento está incompleto',
  'error.linkIncompleteText': 'Nada foi cobrado. Volte para a loja e inicie o pagamento de novo.',
  'error.shopDetails': 'A loja enviou dados incompletos',
  'error.shopDetailsText': 'Nada foi cobrado. Fale com a loja.',
  'error.returnAddress': 'O endereço de retorno da loja não está cadastrado',
  'error.returnAddressText': 'Para sua segurança, não podemos continuar. Nada foi cobrado.',
  'error.unknownPayment': 'Não encontramos este pagamento',
  'error.unknownPaymentText': 'Talvez ele não tenha sido iniciado.',
  'error.noOptions': 'Não é possível pagar este valor aqui',
  'error.noOptionsText': 'Nenhuma forma de pagamento desta loja aceita {amount}.',
  'error.methodFixed': 'Esta forma de pagamento está indisponível no momento',
  'error.methodFixedText':
    'A loja a escolheu para este pagamento. Nada foi cobrado. Volte para a loja para pagar de outra forma.',
  'error.unreachable': 'Não conseguimos acessar o serviço de pagamento',
  'error.unreachableText': 'Nada foi cobrado. Guardamos seus dados e vamos tentar novamente.',
  'error.unreachableUnsure':
    'Não pague de novo. Guardamos seus dados e estamos verificando a situação do seu pagamento.',
  'error.busy': 'Há muitos pagamentos neste momento',
  'error.busyText': 'Nada foi cobrado. Vamos tentar novamente em instantes.',
  'error.limited': 'Aguarde um momento',
  'error.limitedText': 'Recebemos solicitações demais da sua conexão. Isso não afeta seu pagamento.',
  'error.unexpected': 'Algo deu errado do nosso lado',
  'error.unexpectedText': 'Tente novamente. Se acontecer de novo, informe este código à loja.',
  'error.forbidden': 'Este formulário não foi enviado da nossa página',
  'error.forbiddenText': 'Para sua segurança, não o processamos. Abra o pagamento de novo a partir da loja.',
  'error.notFound': 'Página não encontrada',
  'error.notFoundText': 'Use o link que você recebeu da loja.',

  ...developer,
} as const satisfies Readonly<Record<keyof typeof en, Message>>
