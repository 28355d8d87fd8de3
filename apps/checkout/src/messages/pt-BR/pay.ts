import type { pay as english } from '../en/pay.ts'
import type { Message } from '../message.ts'

/** In Brazilian Portuguese: the payment exists and waits, at the institution, for a transfer or a confirmation. */
export const pay = {
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
  'code.noApp':
    'Nenhum aplicativo abriu? Copie o código e cole no seu aplicativo, ou escaneie com outro celular.',

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
} as const satisfies Readonly<Record<keyof typeof english, Message>>
