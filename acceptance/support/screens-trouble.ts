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
    shows: 'The token of the link is over or was changed; nothing of the link is believed.',
    heading: /^This payment link is no longer valid$/,
    prepare: async (stage) =>
      (await ordered()(stage)).replace(/(token=[^&]*)[\w-]{10}(?=&|$)/, '$1AAAAAAAAAA'),
  },
  {
    name: 'link-ended',
    screen: 'INSTRUCTIONS',
    shows: 'The token has ended while the payment goes on: what is known is shown, and nothing can be done.',
    heading: /^Transfer €149\.90$/,
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
    shows: 'The browser keeps no session; the customer is told what to do about it.',
    heading: /^Your browser blocks cookies$/,
    prepare: ({ gateway }) => `${gateway.checkoutUrl}/p/${'A'.repeat(22)}?first=1`,
  },
  {
    name: 'code-over',
    screen: 'CODE_OVER',
    shows: 'The code that leads from a computer to a phone is out of date.',
    heading: /^This code has expired$/,
    prepare: ({ gateway }) => `${gateway.checkoutUrl}/h/over`,
  },
  {
    name: 'link-incomplete',
    screen: 'LINK_INCOMPLETE',
    shows: 'Something of the link is missing; in the sandbox developers are told what.',
    heading: /^This payment link is incomplete$/,
    prepare: ({ gateway, nextOrder }) =>
      `${gateway.checkoutUrl}/?merchantCode=DEMO&idPayin=${nextOrder()}&amount=149,90&currencyCode=EUR`,
  },
  {
    name: 'token-incomplete',
    screen: 'TOKEN_INCOMPLETE',
    shows: 'The token does not permit to pay; in the sandbox developers are told what it must permit.',
    heading: /^This payment link is incomplete$/,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ judge: refused(403, 'OPERATION_NOT_PERMITTED') }, { idPayin: nextOrder() }),
  },
  {
    name: 'token-without-money',
    screen: 'MONEY_MISSING',
    shows: 'The merchant wants the amount in the token; in the sandbox developers are told what to request.',
    heading: /^This payment link is incomplete$/,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ judge: refused(403, 'MONEY_NOT_PERMITTED') }, { idPayin: nextOrder() }),
  },
  {
    name: 'amount-different',
    screen: 'AMOUNT_DIFFERENT',
    shows: 'The amount of the link is not that of its token.',
    heading: /^This payment link is incomplete$/,
    prepare: async (stage) => (await ordered()(stage)).replace('amount=149.90', 'amount=1.00'),
  },
  {
    name: 'return-not-allowed',
    screen: 'RETURN_NOT_ALLOWED',
    shows: 'The customer would be sent back to somebody else’s address.',
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
    shows: 'What the shop has fixed is wrong, which the customer cannot mend.',
    heading: /^The shop sent incomplete details$/,
    prepare: ordered({
      paymentMethodCode: 'BANK_TRANSFER',
      customerData: { accountNumber: 'DE88370400440532013000' },
    }),
  },
  {
    name: 'unknown-payment',
    screen: 'NOT_FOUND',
    shows: 'A status link to a payment that was never started.',
    heading: /^We cannot find this payment$/,
    prepare: ({ gateway, nextOrder }) => statusLinkFor(gateway, nextOrder()),
  },
  {
    name: 'no-options',
    screen: 'START',
    shows: 'No method takes this amount; in the sandbox developers are told why.',
    heading: /^This amount cannot be paid here$/,
    prepare: ordered({ amount: '0.01' }),
  },
]

const DOWN = { status: 503 } as const

const services: readonly Scene[] = [
  {
    name: 'unreachable',
    screen: 'UNREACHABLE',
    shows: 'The API does not answer: the page keeps what was typed and tries again.',
    heading: /^We cannot reach the payment service$/,
    isCounting: true,
    prepare: ({ scripted, nextOrder }) => scripted.link({ look: DOWN }, { idPayin: nextOrder() }),
  },
  {
    name: 'unsure',
    screen: 'START',
    shows: 'The answer to the payment itself was lost: the customer must not pay again.',
    heading: /^We cannot reach the payment service$/,
    isCounting: true,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ offer: TRANSFER_OFFER, create: DOWN }, { idPayin: nextOrder() }),
    act: (tab) => tab.locator('form[action$="/pay"] button').click(),
  },
  {
    name: 'busy',
    screen: 'BUSY',
    shows: 'Too many customers at once: the page tries again when it may.',
    heading: /^Many people are paying right now$/,
    isCounting: true,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ look: { status: 429, headers: { 'retry-after': '8' } } }, { idPayin: nextOrder() }),
  },
  {
    name: 'unexpected',
    screen: 'INSTRUCTIONS',
    shows: 'Something that nobody thought of, under a code that is in the log as well.',
    heading: /^Something went wrong on our side$/,
    prepare({ scripted, nextOrder }) {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, kind: 'BROKEN' }), wish)
    },
  },
  {
    name: 'forbidden',
    screen: 'START',
    shows: 'A form that did not come from the page does nothing.',
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
    shows: 'An address that the page does not have.',
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
