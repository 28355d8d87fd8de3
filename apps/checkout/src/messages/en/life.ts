/** How a payment goes on, and how it is taken to another device. */
export const life = {
  'cookies.title': 'Your browser does not keep cookies',
  'cookies.text': 'This page needs a cookie to stay with your payment. It is for this payment alone.',
  'cookies.how': 'Allow cookies for this page in the settings of your browser, or use another browser.',
  'cookies.app': 'If you are inside an app, choose “Open in browser” in its menu.',
  'phone.minutes': {
    one: 'The code works for {count} minute.',
    other: 'The code works for {count} minutes.',
  },
  'phone.over': 'This code is out of date',
  'phone.overText': 'Show it again on the other device and scan it once more.',
  'unavailable.text':
    'We keep trying. If you have already approved the payment there, you need do nothing more.',
  'unavailable.anyway': 'Continue to {operator} all the same',
  'partial.overTitle': 'More than the amount has arrived',
  'partial.other': 'We received {received} instead of {amount}.',
  'partial.nothingMore': 'You need not pay anything more.',
  'waiting.back': 'Back from {operator}',
  'waiting.checked': 'Handed to a person',
  'status.linkEnded': 'Your link has ended. You still see here how your payment goes on.',
} as const
