/** How a payment goes on, and how it is taken to another device. */
export const life = {
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
} as const
