import { developer } from './developer.ts'

/** English: the source of the keys. What is missing in another language, or is there too much, does not compile. */
export const en = {
  // The frame of every screen, and the screens before the payment exists.

  // Frame
  'frame.skip': 'Skip to content',
  'frame.sandbox': 'SANDBOX – no real money',
  'frame.orderNumber': 'Order number',
  'frame.changeLanguage': 'Change language',
  'frame.support': 'Contact {shop}',
  'frame.secured': 'Secured by {operator}',
  'frame.trust': 'Encrypted connection. The shop sees that you paid, never your bank login.',

  // Titles of the browser's tab
  'title.withShop': '{title} – {shop}',
  'title.pay': 'Pay {amount}',
  'title.paid': 'Paid {amount}',
  'title.notPaid': 'Not paid',
  'title.inProgress': 'Payment in progress',
  'title.faulty': 'Please check: {title}',

  // Actions of many screens
  'common.change': 'Change',
  'common.close': 'Close',
  'common.copyWhat': 'Copy: {label}',
  'common.copied': 'Copied: {label}',
  'common.copiedShort': 'Copied',
  'common.copyFailed': 'Press and hold to copy',
  'common.optional': 'optional',
  'common.printOrSave': 'Print or save',
  'common.share': 'Share',
  'common.sending': 'Sending …',
  'common.stay': 'Stay here',
  'common.stop': 'Stop',
  'common.tryAgain': 'Try again',
  'common.tryNow': 'Try now',
  'common.returnTo': 'Return to {host}',
  'common.cancelAndReturnTo': 'Cancel and return to {host}',

  // Going on without a click
  'proceed.continuing': {
    one: 'Continuing automatically in {count} second.',
    other: 'Continuing automatically in {count} seconds.',
  },
  'proceed.returning': {
    one: 'Returning to the shop in {count} second.',
    other: 'Returning to the shop in {count} seconds.',
  },
  'proceed.retrying': { one: 'Trying again in {count} second.', other: 'Trying again in {count} seconds.' },

  // Leaving
  'leave.title': 'Your payment is not complete yet. Leave this page?',
  'leave.text': 'Your payment stays open until {moment}. Until then, you can come back to this page.',
  'leave.paid': 'If you have already paid, do not pay again: we will inform the shop.',
  'leave.stay': 'Stay on this page',
  'leave.go': 'Leave this page',

  // Methods and operators
  'choose.title': 'How would you like to pay?',
  'choose.bank': 'Choose your bank',
  'choose.wallet': 'Choose your wallet',
  'choose.searchBank': 'Search for your bank',
  'choose.searchWallet': 'Search for your wallet',
  'choose.searchHint': 'Name or BIC',
  'choose.popular': 'Most used',
  'choose.otherBanks': 'Other banks',
  'choose.otherWallets': 'Other wallets',
  'choose.unavailable': 'Temporarily unavailable',
  'choose.closed': 'Not available right now',
  'choose.limitReached': 'Daily limit reached',
  'choose.limitReachedOf':
    'Today’s limit for {method} has been reached. Please choose another payment method.',
  'choose.delayed': 'Slower than usual right now',
  'choose.bankNotListed': 'My bank is not listed',
  'choose.walletNotListed': 'My wallet is not listed',
  'choose.chooseAnotherWay': 'Choose another payment method',
  'choose.results': { one: '{count} result', other: '{count} results' },
  'choose.noResults': 'No results. Check the spelling or choose another payment method.',
  'choose.suggestedUnavailable':
    'The suggested payment method is not available for this amount. Please choose another one.',

  'method.BANK_TRANSFER': 'Bank transfer',
  'method.ONLINE_BANKING': 'Online banking',
  'method.WALLET': 'Wallet',
  'method.UPI': 'UPI',
  'method.PIX': 'Pix',
  'method.OFFLINE_TRANSFER': 'Transfer with reference',
  'method.CRYPTO': 'Cryptocurrency',

  'flow.REDIRECT': 'Approve the payment with your bank or wallet.',
  'flow.INSTRUCTIONS': 'Copy the details into your banking app.',
  'flow.QR': 'Scan a code or pay in an app.',
  'flow.REFERENCE': 'Pay in your bank’s app and enter the reference here.',

  'speed.INSTANT': 'Instant',
  'speed.MINUTES': 'Minutes',
  'speed.HOURS': 'Hours',
  'speed.DAYS': 'A few days',

  // Details
  'details.title': 'Your details',
  'details.providedBy': 'Details provided by {shop}',
  'details.providedByShop': 'Details provided by the shop',
  'details.pay': 'Pay {amount}',
  'details.showCode': 'Show QR code',
  'details.showInstructions': 'Show payment details',
  'details.continueTo': 'Continue to {operator}',
  'details.faults': {
    one: 'Please correct {count} entry',
    other: 'Please correct {count} entries',
  },

  // Confirmation
  'confirm.title': 'Pay {amount} to {shop} with {method}',
  'confirm.titleShop': 'Pay {amount} with {method}',
  'confirm.with': 'Pay with {method}',
  'confirm.text': 'You will not be charged until you press the button.',

  // What customers type in: labels, hints, and what can be wrong with it.
  'field.accountName': 'Account holder name',
  'field.accountName.hint': 'As written on your bank account.',
  'field.iban': 'IBAN',
  'field.iban.hint': 'You can find it in your banking app. It starts with two letters, e.g. {example}.',
  'field.accountNumber': 'Account number',
  'field.accountNumber.hint': 'You can find it in your banking app or on a statement.',
  'field.bankCode': 'Bank code',
  'field.bankCode.hint': 'BIC, IFSC or sort code of your bank.',
  'field.emailAddress': 'E-mail',
  'field.emailAddress.hint': 'We use it only for this payment.',
  'field.vpa': 'UPI ID',
  'field.vpa.hint': 'It looks like {example}.',
  'field.walletAccount': 'Wallet account',
  'field.walletAccount.hint': 'The phone number, e-mail or name you use with your wallet.',
  'field.address': 'Your wallet address',
  'field.address.hint': 'If a refund is needed, we send it to this address.',
  'field.reference': 'Payment reference',
  'field.reference.hint': 'Shown in the payment details in your app, or on the receipt.',
  'field.rrn': 'UPI transaction ID (UTR)',
  'field.rrn.hint': '12 digits, in your app under “UPI transaction ID” or “UTR”.',
  'field.neftUtr': 'UTR of the NEFT transfer',
  'field.neftUtr.hint': '16 letters and digits, shown in the transfer details.',
  'field.rtgsUtr': 'UTR of the RTGS transfer',
  'field.rtgsUtr.hint': '22 letters and digits; the fifth character is R.',
  'field.endToEndId': 'Pix transaction ID',
  'field.endToEndId.hint': '32 characters starting with E, on the receipt (comprovante).',
  'field.transactionId': 'Transaction ID',
  'field.transactionId.hint': 'Your wallet shows it after sending.',

  'fault.required': '{label} is required.',
  'fault.tooLong': {
    one: 'Enter no more than {count} character; you entered {typed}.',
    other: 'Enter no more than {count} characters; you entered {typed}.',
  },
  'fault.characters': 'This character is not allowed here: {character}',
  'fault.pattern': 'This does not look right. Please compare it with the original.',

  'fault.iban.country': 'An IBAN starts with a two-letter country code; {country} is not one.',
  'fault.iban.tooShort': {
    one: 'An IBAN that starts with {country} has {count} character; you entered {typed}.',
    other: 'An IBAN that starts with {country} has {count} characters; you entered {typed}.',
  },
  'fault.iban.tooLong': {
    one: 'An IBAN that starts with {country} has only {count} character; you entered {typed}.',
    other: 'An IBAN that starts with {country} has only {count} characters; you entered {typed}.',
  },
  'fault.iban.checkDigits': 'This IBAN contains a typing error. Please check every character.',
  'fault.iban.character': 'An IBAN contains only letters and digits, not {character}.',

  'fault.vpa': 'A UPI ID looks like {example}.',
  'fault.email': 'An e-mail address looks like {example}.',
  'fault.reference.digits': {
    one: 'This reference has {count} digit; you entered {typed}.',
    other: 'This reference has {count} digits; you entered {typed}.',
  },
  'fault.reference.length': {
    one: 'This reference has {count} character; you entered {typed}.',
    other: 'This reference has {count} characters; you entered {typed}.',
  },
  'fault.reference.digitsOnly': 'This reference contains only digits, not {character}.',
  'fault.reference.characters': 'This reference contains only letters and digits, not {character}.',
  'fault.reference.rtgs': 'The fifth character of this reference is R.',
  'fault.reference.start': 'This reference starts with {start}.',
  'fault.name': 'The name must contain letters.',

  // The payment exists and waits: at the institution, for a transfer, for a reference, for a confirmation.

  // On the way to the institution
  'redirect.title': 'Continue at {operator}',
  'redirect.text':
    'Approve the payment of {amount} to {payee} there. You will then return here automatically.',
  'redirect.textShop': 'Approve the payment of {amount} there. You will then return here automatically.',
  'redirect.go': 'Continue to {operator}',
  'redirect.opensApp': 'Opens the app if it is installed on this phone.',
  'redirect.phone': 'Is the app on your phone?',
  'redirect.phoneText': 'Scan this code with your phone to continue there.',
  'redirect.unavailable': '{operator} is not responding right now',
  'redirect.unavailableText': 'You have not been charged.',

  'back.title': 'Your payment at {operator} is not complete',
  'back.text': 'We have not received your approval yet.',
  'back.approved': 'I have already approved it',

  // Instructions
  'code.label': 'QR code: {amount} to {payee}, reference {reference}',
  'code.lead': 'Scan the code with your app.',
  'code.leadApp': 'Open your app, or scan the code with another phone.',
  'code.leadWallet': 'Open your wallet, or scan the code with it.',
  'code.enlarge': 'Enlarge',
  'code.otherPhone': 'Scan with another phone',
  'code.copyCode': 'Copy code',
  'code.copyHint': 'Copy the code and paste it into your app.',
  'code.paymentCode': 'Payment code',
  'code.openApp': 'Open in app',
  'code.openWallet': 'Open wallet',
  'code.noApp': 'Did no app open? Copy the code and paste it into your app, or scan it with another phone.',

  'wallet.network': 'Network',
  'wallet.only':
    'Send {currency} on {network} only. Other coins, and coins on other networks, cannot be credited.',
  'wallet.detected': 'Your payment has been detected. Confirmation takes a few minutes.',
  'wallet.confirmations': 'Confirmations: {count} of {needed}',

  'transfer.title': 'Transfer from your bank',
  'transfer.lead': 'Copy these details into your banking app.',
  'transfer.leadScan': 'Scan the code with your banking app, or enter the details.',
  'transfer.leadApp': 'Open your banking app, or copy these details into it.',
  'transfer.details': 'Payment details',
  'transfer.payee': 'Payee',
  'transfer.iban': 'IBAN',
  'transfer.accountNumber': 'Account number',
  'transfer.address': 'Address',
  'transfer.bank': 'Bank',
  'transfer.bankCode': 'Bank code',
  'transfer.bankTitle': 'Bank and bank code',
  'transfer.amount': 'Amount',
  'transfer.reference': 'Reference',
  'transfer.referenceRule': 'Enter exactly this reference. Without it, we cannot match your payment.',
  'transfer.late': 'Money that arrives later is not lost: we will inform the shop.',
  'transfer.lateTitle': 'What if I pay late?',
  'transfer.save': 'Save these details',

  'deadline.payBefore': 'Pay before {moment}',
  'countdown.minutes': { one: '{count} minute left', other: '{count} minutes left' },
  'countdown.over': 'The time is up. We are checking whether your payment has arrived.',

  'waitFor.title': 'Waiting for your payment …',
  'waitFor.text': 'This page updates automatically. You can close it; we will inform the shop either way.',
  'waitFor.textNoScript': 'This page reloads every 20 seconds.',
  'waitFor.paid': 'I have paid',
  'waitFor.phone': 'Continue on your phone',
  'waitFor.phoneCode': 'QR code: this page on your phone',

  'partial.title': 'Part of your payment has arrived',
  'partial.text': 'We received {received} of {amount}.',
  'partial.rest': 'Please send the remaining {rest} with the same reference.',
  'partial.restOfCoins': 'Please send the remaining {rest} to the same address.',
  'partial.restLabel': 'Still to pay',

  // External reference
  'reference.title': 'Enter the payment reference',
  'reference.text': 'After paying, your app shows a reference. It helps us find your payment.',
  'reference.where': 'Where do I find it?',
  'reference.whereApp': 'Open the payment in your app. The reference is shown in the payment details.',
  'reference.whereReceipt': 'If you paid at a counter, it is on your receipt.',
  'reference.send': 'Send reference',
  'reference.cannotFind': 'I cannot find it',
  'reference.thanks': 'Thank you. We are looking for your payment.',
  'reference.correct': 'Correct the reference',
  'reference.refused': 'This reference was not accepted. Please check it.',

  // Waiting for a confirmation
  'waiting.title': 'Your payment is being confirmed',
  'waiting.timeline': 'Progress so far',
  'waiting.sent': 'Details sent',
  'waiting.referenceSent': 'Reference sent',
  'waiting.confirming': 'Waiting for confirmation',
  'waiting.usual': 'This usually takes less than 2 minutes. Do not pay again.',
  'waiting.long': 'This is taking longer than usual. Do not pay again.',
  'waiting.longText':
    'You can leave this page: we will inform the shop, and this link keeps showing the result.',
  'waiting.review': 'Our team is reviewing your payment.',
  'waiting.copyLink': 'Copy link to this page',
  'waiting.link': 'Link to this page',

  'live.changed': 'The status of your payment has changed.',
  'live.show': 'Show the new status',
  'offline.text': 'You are offline. We will continue when you are back online.',
  'offline.back': 'You are online again.',

  // How a payment goes on, and how it is taken to another device.
  'cookies.title': 'Your browser blocks cookies',
  'cookies.text': 'This page needs a cookie to keep track of your payment. It is used for nothing else.',
  'cookies.how': 'Allow cookies for this page in your browser’s settings, or use another browser.',
  'cookies.app': 'If you opened this page inside an app, choose “Open in browser” from its menu.',
  'phone.minutes': {
    one: 'The code is valid for {count} minute.',
    other: 'The code is valid for {count} minutes.',
  },
  'phone.over': 'This code has expired',
  'phone.overText': 'Show the code again on the other device and scan it once more.',
  'unavailable.text':
    'We keep trying. If you have already approved the payment there, you do not need to do anything else.',
  'unavailable.anyway': 'Continue to {operator} anyway',
  'partial.overTitle': 'We received more than the amount due',
  'partial.other': 'We received {received} instead of {amount}.',
  'partial.nothingMore': 'You do not need to pay anything more.',
  'waiting.back': 'Back from {operator}',
  'waiting.notAgain': 'Do not pay again.',
  'waiting.checked': 'Our team is reviewing it',
  'status.linkEnded': 'Your link has expired. You can still follow your payment here.',

  // The end of a payment: results, receipt, reasons; and the screens of errors.
  'paid.title': 'Payment complete',
  'paid.text': 'Thank you. The shop has been informed.',
  'paid.late': 'Your money arrived after the payment deadline. The shop has been informed.',
  'paid.different': 'We received {received} instead of {amount}. The shop has been informed.',
  'paid.contact': 'If you have questions, please contact the shop.',

  'refunded.title': 'Payment refunded',
  'refunded.text': '{refunded} has been refunded. It can take a few days to reach your account.',
  'refunded.part': '{refunded} of {amount} has been refunded. It can take a few days to reach your account.',

  'receipt.title': 'Receipt',
  'receipt.payee': 'Paid to',
  'receipt.amount': 'Amount',
  'receipt.refunded': 'Refunded',
  'receipt.moment': 'Date and time',
  'receipt.method': 'Payment method',
  'receipt.reference': 'Payment reference',
  'receipt.bankReference': 'Bank reference',
  'receipt.shareTitle': 'Receipt: {amount}',
  'receipt.shareText': '{amount} paid, order {order}',

  'notPaid.title': 'Payment not completed',
  'notPaid.noMoney': 'No money was taken.',
  'notPaid.returned': 'It can take a few days to reach your account.',
  'notPaid.perhaps': {
    one: 'If money has left your account, it will be returned within {count} day. Reference: {reference}',
    other: 'If money has left your account, it will be returned within {count} days. Reference: {reference}',
  },
  'notPaid.support': 'Details for support',
  'notPaid.code': 'Code',

  'cancelled.title': 'The payment was cancelled',

  'expired.title': 'This payment has expired',
  'expired.text': 'Nothing arrived in time. You can start again at the shop.',
  'expired.paid': 'I have already paid',
  'expired.paidText': 'Do not pay twice. Enter your payment reference so that we can find your payment.',
  'expired.paidWait': 'Do not pay twice. We will inform the shop as soon as your money arrives.',
  'expired.enterReference': 'Enter reference',

  'reversed.title': 'Payment returned',
  'reversed.text': '{amount} has been returned. It can take a few days to reach your account.',

  'status.newLink': 'Ask the shop for a new link.',

  // Why a payment failed
  'reason.funds': 'Your bank says that there is not enough money in this account.',
  'reason.declined': 'Your bank did not approve the payment.',
  'reason.authentication': 'The approval in your app failed.',
  'reason.cancelled': 'The payment was cancelled at your bank.',
  'reason.bankDown': 'Your bank is not available right now. Try another bank.',
  'reason.limit': 'The amount is above the limit of your account or of this payment method.',
  'reason.account': 'This account cannot be used for this payment.',
  'reason.timeout': 'The approval did not arrive in time.',
  'reason.returned': 'The money was sent back to you.',
  'reason.unknown': 'The payment could not be completed.',
  'action.askBank': 'Your bank can tell you why.',

  // Screens of errors
  'error.code': 'Incident code',
  'error.linkInvalid': 'This payment link is no longer valid',
  'error.linkInvalidText':
    'For your security, payment links work for a limited time only. Opening this one did not charge you.',
  'error.linkInvalidAction': 'If you have not paid yet, go back to the shop and start the payment again.',
  'error.linkIncomplete': 'This payment link is incomplete',
  'error.linkIncompleteText': 'Nothing was charged. Go back to the shop and start the payment again.',
  'error.shopDetails': 'The shop sent incomplete details',
  'error.shopDetailsText': 'Nothing was charged. Please contact the shop.',
  'error.returnAddress': 'The shop’s return address is not registered',
  'error.returnAddressText': 'For your security, we cannot continue. Nothing was charged.',
  'error.unknownPayment': 'We cannot find this payment',
  'error.unknownPaymentText': 'It may not have been started.',
  'error.noOptions': 'This amount cannot be paid here',
  'error.noOptionsText': 'None of this shop’s payment methods can take {amount}.',
  'error.methodFixed': 'This payment method is not available right now',
  'error.methodFixedText':
    'The shop chose it for this payment. Nothing was charged. Go back to the shop to pay another way.',
  'error.unreachable': 'We cannot reach the payment service',
  'error.unreachableText': 'You have not been charged. We are keeping your details and will try again.',
  'error.unreachableUnsure':
    'Do not pay again. We are keeping your details and checking what happened to your payment.',
  'error.busy': 'Many people are paying right now',
  'error.busyText': 'You have not been charged. We will try again in a moment.',
  'error.limited': 'Please wait a moment',
  'error.limitedText': 'Too many requests came from your connection. Your payment is not affected.',
  'error.unexpected': 'Something went wrong on our side',
  'error.unexpectedText': 'Please try again. If it happens again, give this code to the shop.',
  'error.forbidden': 'This form was not sent from our page',
  'error.forbiddenText': 'For your security, we did not process it. Open the payment again from the shop.',
  'error.notFound': 'Page not found',
  'error.notFoundText': 'Use the link you received from the shop.',

  ...developer,
} as const
