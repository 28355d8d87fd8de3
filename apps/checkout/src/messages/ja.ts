import { developer } from './developer.ts'
import type { en } from './en.ts'
import type { Message } from './message.ts'

/** Japanese. */
export const ja = {
  // The frame of every screen, and the screens before the payment exists.

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

  // What customers type in: labels, hints, and what can be wrong with it.
  'field.accountName': '口座名義',
  'field.accountName.hint': '銀行口座に登録されているとおりに入力してください。',
  'field.iban': 'IBAN',
  'field.iban.hint': '銀行のアプリで確認できます。2文字の英字で始まります（例：{example}）。',
  'field.accountNumber': '口座番号',
  'field.accountNumber.hint': '銀行のアプリまたは取引明細で確認できます。',
  'field.bankCode': '銀行コード',
  'field.bankCode.hint': 'ご利用の銀行のBIC、IFSCまたはソートコード。',
  'field.emailAddress': 'メールアドレス',
  'field.emailAddress.hint': '今回のお支払いにのみ使用します。',
  'field.vpa': 'UPI ID',
  'field.vpa.hint': '{example}のような形式です。',
  'field.walletAccount': 'ウォレットのアカウント',
  'field.walletAccount.hint': 'ウォレットで使用している電話番号、メールアドレスまたは名前。',
  'field.address': 'お客様のウォレットアドレス',
  'field.address.hint': '返金が必要な場合、このアドレスに送金します。',
  'field.reference': 'お支払いの取引番号',
  'field.reference.hint': 'アプリのお支払い詳細、または控えに記載されています。',
  'field.rrn': 'UPI取引ID（UTR）',
  'field.rrn.hint': '12桁の数字。アプリの「UPI transaction ID」または「UTR」の欄に表示されます。',
  'field.neftUtr': 'NEFT送金のUTR',
  'field.neftUtr.hint': '16桁の英数字。送金の詳細に表示されます。',
  'field.rtgsUtr': 'RTGS送金のUTR',
  'field.rtgsUtr.hint': '22桁の英数字。5文字目はRです。',
  'field.endToEndId': 'Pix取引ID',
  'field.endToEndId.hint': 'Eで始まる32文字。控え（comprovante）に記載されています。',
  'field.transactionId': 'トランザクションID',
  'field.transactionId.hint': '送金後、ウォレットに表示されます。',

  'fault.required': '入力してください：{label}',
  'fault.tooLong': { other: '{count}文字以内で入力してください（現在{typed}文字）。' },
  'fault.characters': 'この文字は使用できません：{character}',
  'fault.pattern': '入力内容が正しくないようです。元の情報と照らし合わせてください。',

  'fault.iban.country': 'IBANは2文字の国コードで始まります。{country}は国コードではありません。',
  'fault.iban.tooShort': { other: '{country}で始まるIBANは{count}文字です（現在{typed}文字）。' },
  'fault.iban.tooLong': { other: '{country}で始まるIBANは{count}文字までです（現在{typed}文字）。' },
  'fault.iban.checkDigits': 'IBANに入力ミスがあります。1文字ずつご確認ください。',
  'fault.iban.character': 'IBANに使用できるのは英数字のみです。{character}は使用できません。',

  'fault.vpa': 'UPI IDは{example}のような形式です。',
  'fault.email': 'メールアドレスは{example}のような形式です。',
  'fault.reference.digits': { other: 'この番号は{count}桁の数字です（現在{typed}桁）。' },
  'fault.reference.length': { other: 'この番号は{count}文字です（現在{typed}文字）。' },
  'fault.reference.digitsOnly': 'この番号に使用できるのは数字のみです。{character}は使用できません。',
  'fault.reference.characters': 'この番号に使用できるのは英数字のみです。{character}は使用できません。',
  'fault.reference.rtgs': 'この番号の5文字目はRです。',
  'fault.reference.start': 'この番号は{start}で始まります。',
  'fault.name': '名前は数字や記号だけでは入力できません。',

  // The payment exists and waits.

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
  'code.openWallet': 'ウォレットを開く',
  'code.noApp':
    'アプリが開きませんか？コードをコピーしてアプリに貼り付けるか、別のスマートフォンで読み取ってください。',

  'wallet.network': 'ネットワーク',
  'wallet.only':
    '{network} で {currency} のみを送ってください。他の通貨や他のネットワークでの送付は反映できません。',
  'wallet.detected': 'お支払いが検出されました。確認には数分かかります。',
  'wallet.confirmations': '確認数：{count} / {needed}',

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
  'partial.restOfCoins': '残りの{rest}を、同じアドレスに送金してください。',
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

  // How a payment goes on, and how it is taken to another device.
  'cookies.title': 'ブラウザでCookieがブロックされています',
  'cookies.text':
    'このページでは、お支払いの手続きを続けるためにCookieが必要です。それ以外の目的には使用しません。',
  'cookies.how': 'ブラウザの設定でこのページのCookieを許可するか、別のブラウザをご利用ください。',
  'cookies.app': 'アプリ内でこのページを開いている場合は、メニューから「ブラウザで開く」を選択してください。',
  'phone.minutes': { other: 'このコードは{count}分間有効です。' },
  'phone.over': 'このコードは有効期限が切れています',
  'phone.overText': 'もう一方の端末でコードを表示し直し、もう一度読み取ってください。',
  'unavailable.text':
    '引き続き接続を試みています。すでに支払いを承認された場合は、これ以上のお手続きは不要です。',
  'unavailable.anyway': 'このまま{operator}へ進む',
  'partial.overTitle': 'ご請求額を超える入金がありました',
  'partial.other': '{amount}ではなく{received}の入金を確認しました。',
  'partial.nothingMore': 'これ以上お支払いいただく必要はありません。',
  'waiting.back': '{operator}から戻りました',
  'waiting.notAgain': '二重に支払わないでください。',
  'waiting.checked': '担当者が確認しています',
  'status.linkEnded': 'リンクの有効期限は切れましたが、お支払いの状況は引き続きここで確認できます。',

  // The end of a payment: results, receipt, reasons; and the screens of errors.
  'paid.title': 'お支払いが完了しました',
  'paid.text': 'ありがとうございます。ショップに通知しました。',
  'paid.late': 'お支払い期限後に入金を確認しました。ショップに通知しました。',
  'paid.different': '{amount}ではなく{received}の入金を確認しました。ショップに通知しました。',
  'paid.contact': 'ご不明な点は、ショップにお問い合わせください。',

  'refunded.title': '返金しました',
  'refunded.text': '{refunded}を返金しました。口座への反映には数日かかる場合があります。',
  'refunded.part': '{amount}のうち{refunded}を返金しました。口座への反映には数日かかる場合があります。',

  'receipt.title': 'お支払い明細',
  'receipt.payee': 'お支払い先',
  'receipt.amount': '金額',
  'receipt.refunded': '返金額',
  'receipt.moment': '日時',
  'receipt.method': 'お支払い方法',
  'receipt.reference': 'お支払いの参照番号',
  'receipt.bankReference': '銀行の取引番号',
  'receipt.shareTitle': 'お支払い明細：{amount}',
  'receipt.shareText': '{amount}を支払いました。ご注文番号：{order}',

  'notPaid.title': 'お支払いは完了していません',
  'notPaid.noMoney': '代金は引き落とされていません。',
  'notPaid.returned': '口座への反映には数日かかる場合があります。',
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
  'error.methodFixed': 'このお支払い方法は現在ご利用いただけません',
  'error.methodFixedText':
    'このお支払い方法はショップが指定したものです。代金は請求されていません。別の方法で支払うには、ショップにお戻りください。',
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

  ...developer,
} as const satisfies Readonly<Record<keyof typeof en, Message>>
