import type { pay as source } from '../en/pay.ts'
import type { Message } from '../message.ts'

/** The payment exists and waits, in Japanese. */
export const pay = {
  // On the way to the institution
  'redirect.title': '{operator}で手続きを続ける',
  'redirect.text': '移動先で{payee}への{amount}の支払いを承認してください。その後、自動的にここに戻ります。',
  'redirect.textShop': '移動先で{amount}の支払いを承認してください。その後、自動的にここに戻ります。',
  'redirect.go': '{operator}へ進む',
  'redirect.opensApp': 'このスマートフォンにアプリがある場合は、アプリが開きます。',
  'redirect.phone': 'アプリはスマートフォンにありますか？',
  'redirect.phoneText': 'スマートフォンでこのコードを読み取り、手続きを続けてください。',
  'redirect.unavailable': '現在、{operator}から応答がありません',
  'redirect.unavailableText': '代金は請求されていません。',

  'back.title': '{operator}での手続きが完了していません',
  'back.text': 'お支払いの承認をまだ確認できていません。',
  'back.approved': 'すでに承認しました',

  // Instructions
  'code.label': 'QRコード：{payee}へ{amount}、参照番号{reference}',
  'code.lead': 'アプリでコードを読み取ってください。',
  'code.leadApp': 'アプリを開くか、別のスマートフォンでコードを読み取ってください。',
  'code.leadWallet': 'ウォレットを開くか、ウォレットでコードを読み取ってください。',
  'code.enlarge': '拡大',
  'code.otherPhone': '別のスマートフォンで読み取る',
  'code.copyCode': 'コードをコピー',
  'code.copyHint': 'コードをコピーして、アプリに貼り付けてください。',
  'code.paymentCode': 'お支払いコード',
  'code.openApp': 'アプリで開く',
  'code.noApp':
    'アプリが開きませんか？コードをコピーしてアプリに貼り付けるか、別のスマートフォンで読み取ってください。',

  'transfer.title': '銀行振込',
  'transfer.lead': '以下の情報を銀行のアプリにコピーしてください。',
  'transfer.leadScan': '銀行のアプリでコードを読み取るか、情報を入力してください。',
  'transfer.leadApp': '銀行のアプリを開くか、以下の情報をコピーしてください。',
  'transfer.details': 'お支払い情報',
  'transfer.payee': '受取人',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': '口座番号',
  'transfer.address': 'アドレス',
  'transfer.bank': '銀行',
  'transfer.bankCode': '銀行コード',
  'transfer.bankTitle': '銀行名と銀行コード',
  'transfer.amount': '金額',
  'transfer.reference': '参照番号',
  'transfer.referenceRule': 'このとおりに入力してください。入力がないと、お支払いを確認できません。',
  'transfer.late': '期限後に着金した場合も、入金は失われません。ショップに通知されます。',
  'transfer.lateTitle': '期限後に支払うとどうなりますか？',
  'transfer.save': 'この情報を保存',

  'deadline.payBefore': '{moment}までにお支払いください',
  'countdown.minutes': { other: '残り{count}分' },
  'countdown.over': '期限を過ぎました。入金の有無を確認しています。',

  'waitFor.title': 'お支払いを待っています…',
  'waitFor.text': 'このページは自動的に更新されます。閉じても、ショップに通知されます。',
  'waitFor.textNoScript': 'このページは20秒ごとに再読み込みされます。',
  'waitFor.paid': '支払いました',
  'waitFor.phone': 'スマートフォンで続ける',
  'waitFor.phoneCode': 'QRコード：このページをスマートフォンで開く',

  'partial.title': '代金の一部が入金されました',
  'partial.text': '{amount}のうち{received}の入金を確認しました。',
  'partial.rest': '残りの{rest}を、同じ参照番号でお支払いください。',
  'partial.restLabel': '未払い額',

  // External reference
  'reference.title': 'お支払いの取引番号を入力',
  'reference.text': 'お支払い後、アプリに取引番号が表示されます。お支払いの確認に使用します。',
  'reference.where': 'どこで確認できますか？',
  'reference.whereApp': 'アプリでお支払いの詳細を開くと、取引番号が表示されます。',
  'reference.whereReceipt': '窓口でお支払いの場合は、控えに記載されています。',
  'reference.send': '取引番号を送信',
  'reference.cannotFind': '見つかりません',
  'reference.thanks': 'ありがとうございます。お支払いを確認しています。',
  'reference.correct': '取引番号を訂正',
  'reference.refused': 'この取引番号は受け付けられませんでした。ご確認ください。',

  // Waiting for a confirmation
  'waiting.title': 'お支払いを確認しています',
  'waiting.timeline': 'これまでの経過',
  'waiting.sent': '情報を送信しました',
  'waiting.referenceSent': '取引番号を送信しました',
  'waiting.confirming': '確認を待っています',
  'waiting.usual': '通常は2分以内に完了します。二重に支払わないでください。',
  'waiting.long': '通常より時間がかかっています。二重に支払わないでください。',
  'waiting.longText': 'このページを離れても構いません。ショップに通知され、結果はこのリンクで確認できます。',
  'waiting.review': '担当者がお支払いを確認しています。',
  'waiting.copyLink': 'このページのリンクをコピー',
  'waiting.link': 'このページのリンク',

  'live.changed': 'お支払いの状況が更新されました。',
  'live.show': '最新の状況を表示',
  'offline.text': 'オフラインです。接続が回復すると再開します。',
  'offline.back': 'オンラインに戻りました。',
} as const satisfies Readonly<Record<keyof typeof source, Message>>
