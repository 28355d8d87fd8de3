import { waitUntil } from '@tollgate/testkit'
import { offered, scriptedPayin } from './screens-payin.ts'
import { ordered, type Scene, statusLinkFor, type Tab, visited } from './screens-scene.ts'
import { refused } from './screens-script.ts'

// What can go wrong: with the link, and with what is behind the page.

/** Long enough to be opened, and over when it is looked at. */
const ENDING_SECONDS = 20
const ENDING_TIMEOUT_MS = 40_000

async function hasEnded(tab: Tab): Promise<boolean> {
  await tab.reload()
  return (await tab.locator('.notice--warning').count()) > 0
}

const links: readonly Scene[] = [
  {
    name: 'link-invalid',
    screen: 'LINK_INVALID',
    shows: 'The token of the link has expired or was altered; nothing in the link is trusted.',
    heading: /^This payment link is no longer valid$/,
    prepare: async (stage) =>
      (await ordered()(stage)).replace(/(token=[^&]*)[\w-]{10}(?=&|$)/, '$1AAAAAAAAAA'),
  },
  {
    name: 'link-ended',
    screen: 'INSTRUCTIONS',
    shows: 'The token has expired while the payment continues: the screen is read-only.',
    heading: /^Transfer from your bank$/,
    isLate: true,
    prepare(stage) {
      const wish = { idPayin: stage.nextOrder(), validitySeconds: ENDING_SECONDS }
      return visited(stage, stage.scripted.link(scriptedPayin(wish), wish))
    },
    act: (tab) => waitUntil(() => hasEnded(tab), { timeoutMs: ENDING_TIMEOUT_MS, what: 'the token to end' }),
  },
  {
    name: 'no-cookies',
    screen: 'NO_COOKIES',
    shows: 'The browser blocks cookies; the page says what to do.',
    heading: /^Your browser blocks cookies$/,
    prepare: ({ gateway }) => `${gateway.checkoutUrl}/p/${'A'.repeat(22)}?first=${Date.now() + 3_600_000}`,
  },
  {
    name: 'code-over',
    screen: 'CODE_OVER',
    shows: 'The QR code that continues on a phone has expired.',
    heading: /^This code has expired$/,
    prepare: ({ gateway }) => `${gateway.checkoutUrl}/h/over`,
  },
  {
    name: 'link-incomplete',
    screen: 'LINK_INCOMPLETE',
    shows: 'The link is incomplete; the sandbox tells developers what is missing.',
    heading: /^This payment link is incomplete$/,
    prepare: ({ gateway, nextOrder }) =>
      `${gateway.checkoutUrl}/?merchantCode=DEMO&idPayin=${nextOrder()}&amount=149,90&currencyCode=EUR`,
  },
  {
    name: 'token-incomplete',
    screen: 'TOKEN_INCOMPLETE',
    shows: 'The token does not permit payment; the sandbox names the missing permission.',
    heading: /^This payment link is incomplete$/,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ judge: refused(403, 'OPERATION_NOT_PERMITTED') }, { idPayin: nextOrder() }),
  },
  {
    name: 'token-without-money',
    screen: 'MONEY_MISSING',
    shows: 'The merchant requires the amount in the token; the sandbox says what to request.',
    heading: /^This payment link is incomplete$/,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ judge: refused(403, 'MONEY_NOT_PERMITTED') }, { idPayin: nextOrder() }),
  },
  {
    name: 'amount-different',
    screen: 'AMOUNT_DIFFERENT',
    shows: 'The amount of the link differs from that of its token.',
    heading: /^This payment link is incomplete$/,
    prepare: async (stage) => (await ordered()(stage)).replace('amount=149.90', 'amount=1.00'),
  },
  {
    name: 'return-not-allowed',
    screen: 'RETURN_NOT_ALLOWED',
    shows: 'The return address is not registered for the merchant.',
    heading: /^The shop’s return address is not registered$/,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link(
        { judge: { status: 406, body: [{ code: 'RETURN_URL_NOT_ALLOWED', message: 'Not registered.' }] } },
        { idPayin: nextOrder() },
      ),
  },
  {
    name: 'shop-details',
    screen: 'START',
    shows: 'A fixed detail from the shop is invalid; the customer cannot correct it.',
    heading: /^The shop sent incomplete details$/,
    prepare: ordered({
      paymentMethodCode: 'BANK_TRANSFER',
      customerData: { accountNumber: 'DE88370400440532013000' },
    }),
  },
  {
    name: 'unknown-payment',
    screen: 'NOT_FOUND',
    shows: 'A status link of a payment that was never started.',
    heading: /^We cannot find this payment$/,
    prepare: ({ gateway, nextOrder }) => statusLinkFor(gateway, nextOrder()),
  },
  {
    name: 'no-options',
    screen: 'START',
    shows: 'No method accepts this amount; the sandbox tells developers why.',
    heading: /^This amount cannot be paid here$/,
    prepare: ordered({ amount: '0.01' }),
  },
]

const DOWN = { status: 503 } as const

const services: readonly Scene[] = [
  {
    name: 'unreachable',
    screen: 'UNREACHABLE',
    shows: 'The API does not respond: the page keeps the entries and tries again.',
    heading: /^We cannot reach the payment service$/,
    isCounting: true,
    prepare: ({ scripted, nextOrder }) => scripted.link({ look: DOWN }, { idPayin: nextOrder() }),
  },
  {
    name: 'unsure',
    screen: 'START',
    shows: 'The answer to the create was lost: the customer must not pay again.',
    heading: /^We cannot reach the payment service$/,
    isCounting: true,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ offer: TRANSFER_OFFER, create: DOWN }, { idPayin: nextOrder() }),
    act: (tab) => tab.locator('form[action$="/pay"] button').click(),
  },
  {
    name: 'busy',
    screen: 'BUSY',
    shows: 'Rate limit reached: the page tries again later.',
    heading: /^Many people are paying right now$/,
    isCounting: true,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ look: { status: 429, headers: { 'retry-after': '8' } } }, { idPayin: nextOrder() }),
  },
  {
    name: 'unexpected',
    screen: 'INSTRUCTIONS',
    shows: 'An unexpected error, with a code that is also in the log.',
    heading: /^Something went wrong on our side$/,
    prepare({ scripted, nextOrder }) {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, kind: 'BROKEN' }), wish)
    },
  },
  {
    name: 'forbidden',
    screen: 'START',
    shows: 'A form from another site is not processed.',
    heading: /^This form was not sent from our page$/,
    prepare: ordered({ paymentMethodCode: 'BANK_TRANSFER' }),
    async act(tab) {
      await tab
        .locator('form[action$="/pay"] [name=formToken]')
        .evaluate((field) => field.setAttribute('value', ''))
      await tab.locator('form[action$="/pay"] button').click()
    },
  },
  {
    name: 'nowhere',
    screen: 'NOWHERE',
    shows: 'An unknown address.',
    heading: /^Page not found$/,
    prepare: ({ gateway }) => `${gateway.checkoutUrl}/nothing/here`,
  },
]

const TRANSFER_OFFER = offered({
  paymentMethodCode: 'BANK_TRANSFER',
  name: 'Bank transfer',
  flow: 'INSTRUCTIONS',
  paymentOperators: [],
  fields: [],
})

export const TROUBLE_SCENES: readonly Scene[] = [...links, ...services]
