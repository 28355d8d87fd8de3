import type { results as source } from '../en/results.ts'
import type { Message } from '../message.ts'

/** The end of a payment, in Japanese: results, receipt, reasons; and the screens of errors. */
export const results = {
  'paid.title': 'お支払いが完了しました',
  'paid.text': 'ありがとうございます。ショップに通知しました。',
  'paid.late': 'お支払い期限後に入金を確認しました。ショップに通知しました。',
  'paid.different': '{amount}ではなく{received}の入金を確認しました。ショップに通知しました。',
  'paid.contact': 'ご不明な点は、ショップにお問い合わせください。',

  'receipt.title': 'お支払い明細',
  'receipt.payee': 'お支払い先',
  'receipt.amount': '金額',
  'receipt.moment': '日時',
  'receipt.method': 'お支払い方法',
  'receipt.reference': 'お支払いの参照番号',
  'receipt.bankReference': '銀行の取引番号',
  'receipt.shareTitle': 'お支払い明細：{amount}',
  'receipt.shareText': '{amount}を支払いました。ご注文番号：{order}',

  'notPaid.title': 'お支払いは完了していません',
  'notPaid.noMoney': '代金は引き落とされていません。',
  'notPaid.perhaps': {
    other: '口座から引き落とされている場合は、{count}日以内に返金されます。参照番号：{reference}',
  },
  'notPaid.support': 'お問い合わせ用の情報',
  'notPaid.code': 'コード',

  'cancelled.title': 'お支払いはキャンセルされました',

  'expired.title': 'お支払い期限が過ぎました',
  'expired.text': '期限までに入金がありませんでした。ショップからもう一度お手続きいただけます。',
  'expired.paid': 'すでに支払いました',
  'expired.paidText': '二重に支払わないでください。お支払いを確認するため、取引番号を入力してください。',
  'expired.paidWait': '二重に支払わないでください。入金を確認次第、ショップに通知します。',
  'expired.enterReference': '取引番号を入力',

  'reversed.title': '返金済み',
  'reversed.text': '{amount}を返金しました。口座への反映には数日かかる場合があります。',

  'status.newLink': 'ショップに新しいリンクをご依頼ください。',

  // Why a payment failed
  'reason.funds': '銀行から、口座の残高不足との回答がありました。',
  'reason.declined': '銀行がお支払いを承認しませんでした。',
  'reason.authentication': 'アプリでの承認が完了しませんでした。',
  'reason.cancelled': '銀行の画面でお支払いがキャンセルされました。',
  'reason.bankDown': 'ご利用の銀行は現在利用できません。別の銀行をお試しください。',
  'reason.limit': '金額が、口座またはお支払い方法の限度額を超えています。',
  'reason.account': 'この口座は今回のお支払いに使用できません。',
  'reason.timeout': '時間内に承認されませんでした。',
  'reason.returned': '代金は返金されました。',
  'reason.unknown': 'お支払いを完了できませんでした。',
  'action.askBank': '理由はご利用の銀行にお問い合わせください。',

  // Screens of errors
  'error.code': 'エラーコード',
  'error.linkInvalid': 'このお支払いリンクは無効です',
  'error.linkInvalidText':
    '安全のため、お支払いリンクには有効期限があります。リンクを開いたことで代金が請求されることはありません。',
  'error.linkInvalidAction':
    'まだお支払いでない場合は、ショップに戻り、もう一度お支払い手続きを行ってください。',
  'error.linkIncomplete': 'このお支払いリンクは不完全です',
  'error.linkIncompleteText':
    '代金は請求されていません。ショップに戻り、もう一度お支払い手続きを行ってください。',
  'error.shopDetails': 'ショップから送られた情報に不備があります',
  'error.shopDetailsText': '代金は請求されていません。ショップにお問い合わせください。',
  'error.returnAddress': 'ショップの戻り先アドレスが登録されていません',
  'error.returnAddressText': '安全のため、手続きを中止しました。代金は請求されていません。',
  'error.unknownPayment': 'このお支払いは見つかりません',
  'error.unknownPaymentText': '手続きが開始されていない可能性があります。',
  'error.noOptions': 'この金額に利用できるお支払い方法がありません',
  'error.noOptionsText': 'このショップのお支払い方法では、{amount}を支払えません。',
  'error.unreachable': '決済サービスに接続できません',
  'error.unreachableText': '代金は請求されていません。入力内容を保持したまま再試行します。',
  'error.unreachableUnsure':
    '二重に支払わないでください。入力内容を保持したまま、お支払いの状況を確認しています。',
  'error.busy': '現在、アクセスが集中しています',
  'error.busyText': '代金は請求されていません。まもなく再試行します。',
  'error.limited': '少しお待ちください',
  'error.limitedText': 'ご利用の回線からのアクセスが多すぎます。お支払いには影響ありません。',
  'error.unexpected': 'システムエラーが発生しました',
  'error.unexpectedText':
    'もう一度お試しください。再び発生する場合は、このエラーコードをショップにお伝えください。',
  'error.forbidden': 'このフォームは当ページから送信されたものではありません',
  'error.forbiddenText':
    '安全のため、処理しませんでした。ショップからもう一度お支払いページを開いてください。',
  'error.notFound': 'ページが見つかりません',
  'error.notFoundText': 'ショップから届いたリンクをご利用ください。',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
