import { readFileSync } from 'node:fs'

const { SHOP_GATEWAY_URL, SHOP_PAYMENT_URL, SHOP_KEY_FILE, SHOP_CALLBACK_URL, SHOP_RETURN_URL } = process.env

export const tollgate = {
  baseUrl: SHOP_GATEWAY_URL,
  paymentAppUrl: SHOP_PAYMENT_URL,
  merchantCode: 'DEMO',
  privateKey: readFileSync(SHOP_KEY_FILE, 'utf8'),
  callbackUrl: SHOP_CALLBACK_URL,
  returnUrl: SHOP_RETURN_URL,
  refundMethods: { ONLINE_BANKING: 'BANK_TRANSFER' },
  ordersBeforePayment: process.env.SHOP_ORDERS_FIRST === 'true',
}
