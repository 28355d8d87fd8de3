import type { start as source } from '../en/start.ts'
import type { Message } from '../message.ts'

/** The frame of every screen, and the screens before the payment exists, in Japanese. */
export const start = {
  // Frame
  'frame.skip': '本文へ移動',
  'frame.sandbox': 'サンドボックス – 実際の決済は行われません',
  'frame.orderNumber': 'ご注文番号',
  'frame.changeLanguage': '言語を変更',
  'frame.support': '{shop}に問い合わせる',
  'frame.secured': '{operator}による安全な決済',
  'frame.trust':
    '通信は暗号化されています。ショップに伝わるのはお支払いの結果だけで、銀行のログイン情報は伝わりません。',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': '{amount}のお支払い',
  'title.paid': '{amount}のお支払い完了',
  'title.notPaid': 'お支払い未完了',
  'title.inProgress': 'お支払い処理中',
  'title.faulty': 'ご確認ください：{title}',

  // Actions of many screens
  'common.change': '変更',
  'common.close': '閉じる',
  'common.copyWhat': 'コピー：{label}',
  'common.copied': 'コピーしました：{label}',
  'common.copiedShort': 'コピー済み',
  'common.copyFailed': '長押ししてコピーしてください',
  'common.optional': '任意',
  'common.printOrSave': '印刷または保存',
  'common.share': '共有',
  'common.sending': '送信中…',
  'common.stay': 'このページに留まる',
  'common.stop': '停止',
  'common.tryAgain': 'もう一度試す',
  'common.tryNow': '今すぐ試す',
  'common.returnTo': '{host}に戻る',
  'common.cancelAndReturnTo': 'キャンセルして{host}に戻る',

  // Going on without a click
  'proceed.continuing': { other: '{count}秒後に自動的に進みます。' },
  'proceed.returning': { other: '{count}秒後にショップに戻ります。' },
  'proceed.retrying': { other: '{count}秒後に再試行します。' },

  // Leaving
  'leave.title': 'お支払いはまだ完了していません。このページを離れますか？',
  'leave.text': 'このお支払いは{moment}まで有効です。それまではこのページに戻って手続きできます。',
  'leave.paid': 'すでにお支払い済みの場合は、二重に支払わないでください。ショップには当方から通知します。',
  'leave.stay': 'このページに留まる',
  'leave.go': 'このページを離れる',

  // Methods and operators
  'choose.title': 'お支払い方法をお選びください',
  'choose.bank': '銀行を選択',
  'choose.wallet': 'ウォレットを選択',
  'choose.searchBank': '銀行を検索',
  'choose.searchWallet': 'ウォレットを検索',
  'choose.searchHint': '名称またはBIC',
  'choose.popular': 'よく利用されています',
  'choose.otherBanks': 'その他の銀行',
  'choose.otherWallets': 'その他のウォレット',
  'choose.unavailable': '一時的に利用できません',
  'choose.closed': '現在ご利用いただけません',
  'choose.limitReached': '本日の利用上限に達しました',
  'choose.limitReachedOf': '「{method}」は本日の上限に達しました。別の方法をお選びください。',
  'choose.delayed': '現在、通常より時間がかかっています',
  'choose.bankNotListed': '利用する銀行が一覧にない',
  'choose.walletNotListed': '利用するウォレットが一覧にない',
  'choose.chooseAnotherWay': '別のお支払い方法を選択',
  'choose.results': { other: '{count}件' },
  'choose.noResults':
    '該当するものがありません。入力内容をご確認いただくか、別のお支払い方法をお選びください。',
  'choose.suggestedUnavailable':
    '指定されたお支払い方法は、この金額ではご利用いただけません。別の方法をお選びください。',

  'method.BANK_TRANSFER': '銀行振込',
  'method.ONLINE_BANKING': 'インターネットバンキング',
  'method.WALLET': 'ウォレット',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': '振込（取引番号を入力）',
  'method.CRYPTO': '暗号資産',

  'flow.REDIRECT': '銀行またはウォレットの画面で支払いを承認します。',
  'flow.INSTRUCTIONS': '振込情報を銀行のアプリにコピーします。',
  'flow.QR': 'コードを読み取るか、アプリで支払います。',
  'flow.REFERENCE': '銀行のアプリで支払い、ここに取引番号を入力します。',

  'speed.INSTANT': '即時',
  'speed.MINUTES': '数分',
  'speed.HOURS': '数時間',
  'speed.DAYS': '数日',

  // Details
  'details.title': 'お客様情報',
  'details.providedBy': '{shop}から提供された情報',
  'details.providedByShop': 'ショップから提供された情報',
  'details.pay': '{amount}を支払う',
  'details.showCode': 'QRコードを表示',
  'details.showInstructions': 'お支払い情報を表示',
  'details.continueTo': '{operator}へ進む',
  'details.faults': { other: '{count}件の入力内容をご確認ください' },

  // Confirmation
  'confirm.title': '{method}で{shop}に{amount}を支払う',
  'confirm.titleShop': '{method}で{amount}を支払う',
  'confirm.with': '{method}で支払う',
  'confirm.text': 'ボタンを押すまで、代金は請求されません。',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
