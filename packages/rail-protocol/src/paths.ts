// What is signed must be the same text on both sides: these make it.

/** Path of a payment under the base URL's own path, which is empty for `https://bank.example`. */
export function paymentPath(basePath: string, reference: string, action?: 'cancel'): string {
  const path = `${basePath.replace(/\/+$/, '')}/payments/${encodeURIComponent(reference)}`
  return action === undefined ? path : `${path}/${action}`
}

/** Path of questions about payees under the base URL's own path. */
export function payeeChecksPath(basePath: string): string {
  return `${basePath.replace(/\/+$/, '')}/payee-checks`
}

/** Path of the customer's page under the institution's customer URL. */
export function customerPagePath(basePath: string, reference: string): string {
  return `${basePath.replace(/\/+$/, '')}/pay/${encodeURIComponent(reference)}`
}

/**
 * The path that is signed for a notification. It is this text whatever stands before it in the gateway's public address:
 * a proxy may have taken it away.
 */
export function notificationPath(railCode: string): string {
  return `/rails/${encodeURIComponent(railCode)}/notifications`
}
