/** The frame of every screen, and the screens before the payment exists. */
export const start = {
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
} as const
