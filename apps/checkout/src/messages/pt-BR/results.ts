import type { results as english } from '../en/results.ts'
import type { Message } from '../message.ts'

/** In Brazilian Portuguese: the end of a payment and its receipt, and the screens of errors. */
export const results = {
  'paid.title': 'Pagamento realizado',
  'paid.text': 'Obrigado. A loja foi avisada.',
  'paid.late': 'Seu dinheiro chegou depois do prazo de pagamento. A loja foi avisada.',
  'paid.different': 'Recebemos {received} em vez de {amount}. A loja foi avisada.',
  'paid.contact': 'Em caso de dúvida, fale com a loja.',

  'receipt.title': 'Comprovante',
  'receipt.payee': 'Recebedor',
  'receipt.amount': 'Valor',
  'receipt.moment': 'Data e hora',
  'receipt.method': 'Forma de pagamento',
  'receipt.reference': 'Identificador do pagamento',
  'receipt.bankReference': 'ID da transação no banco',
  'receipt.shareTitle': 'Comprovante: {amount}',
  'receipt.shareText': 'Pagamento de {amount}, pedido {order}',

  'notPaid.title': 'Pagamento não concluído',
  'notPaid.noMoney': 'Nenhum valor foi debitado.',
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
} as const satisfies Readonly<Record<keyof typeof english, Message>>
