import { scriptedPayin } from './screens-payin.ts'
import {
  made,
  ordered,
  press,
  type Scene,
  type Stage,
  triggered,
  unfold,
  untilHeading,
  visited,
} from './screens-scene.ts'

// There is a payment, and it waits: for the bank, for a transfer, for a reference, for a confirmation.

const BANK = { paymentMethodCode: 'ONLINE_BANKING', paymentOperatorCode: 'BANKA_VLTAVA' } as const

const away: readonly Scene[] = [
  {
    name: 'redirect',
    screen: 'REDIRECT',
    shows: 'The next stop is the bank; on a large screen a code leads there by phone.',
    heading: /^Continue at Banka Vltava$/,
    isCounting: true,
    prepare: made(BANK),
  },
  {
    name: 'unavailable',
    screen: 'UNAVAILABLE',
    shows: 'The bank does not have the payment yet: better not to go there now.',
    heading: /^Banka Vltava is not responding right now$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, kind: 'REDIRECT', processorStatus: 'ACCEPTED' }), wish)
    },
  },
  {
    name: 'back-checking',
    screen: 'CHECKING',
    shows: 'Back from the bank, which has not said anything yet.',
    heading: /^Your payment is being confirmed$/,
    prepare: made(BANK),
    act: comeBack,
  },
  {
    name: 'back-returned',
    screen: 'RETURNED',
    shows: 'Still nothing after a while: on to the bank again, or the customer says that it is approved.',
    heading: /^Your payment at Banka Vltava is not complete$/,
    isLate: true,
    prepare: async (stage) => visited(stage, await made(BANK)(stage), comeBack),
    act: (tab) => untilHeading(tab, /^Your payment at Banka Vltava is not complete/, CHECKING_TIMEOUT_MS),
  },
]

/** So long the page is patient with the bank, and more. */
const CHECKING_TIMEOUT_MS = 60_000

async function comeBack(tab: Stage['tab']): Promise<void> {
  await tab.goto(`${tab.url()}/back`)
}

const transfers: readonly Scene[] = [
  {
    name: 'transfer-epc',
    screen: 'INSTRUCTIONS',
    shows: 'A transfer in euro: a code for the banking app, and every detail with a button that copies it.',
    heading: /^Scan to pay €149\.90$/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }),
  },
  {
    name: 'transfer-spayd',
    screen: 'INSTRUCTIONS',
    shows: 'A transfer in Czech crowns has the code that Czech banks know.',
    heading: /^Scan to pay CZK 3,?490\.00$/,
    prepare: made({ amount: '3490', currencyCode: 'CZK', paymentMethodCode: 'BANK_TRANSFER' }),
  },
  {
    name: 'transfer-plain',
    screen: 'INSTRUCTIONS',
    shows: 'Where there is no code for a currency, the details are typed or copied.',
    heading: /^Transfer ¥18,000$/,
    prepare: made({ amount: '18000', currencyCode: 'JPY', paymentMethodCode: 'BANK_TRANSFER' }),
  },
  {
    name: 'code-enlarged',
    screen: 'INSTRUCTIONS',
    shows: 'The code large and on white, in every theme, for another phone to scan.',
    heading: /^Scan to pay €149\.90$/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }),
    async arrange(tab) {
      await tab.locator('[popovertarget="qr-large"]').first().click()
      await tab.locator('#qr-large').waitFor()
    },
  },
]

const codes: readonly Scene[] = [
  {
    name: 'code-upi',
    screen: 'INSTRUCTIONS',
    shows: 'UPI: on the phone the app is opened, elsewhere the code is scanned.',
    heading: /^Scan to pay ₹500\.00$/,
    prepare: made({ amount: '500', currencyCode: 'INR', paymentMethodCode: 'UPI' }),
  },
  {
    name: 'code-pix',
    screen: 'INSTRUCTIONS',
    shows: 'Pix: the code, and the same as a text to paste.',
    heading: /^Scan to pay R\$149\.90$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder(), currencyCode: 'BRL' }
      return scripted.link(scriptedPayin({ ...wish, kind: 'PIX' }), wish)
    },
  },
  {
    name: 'code-bitcoin',
    screen: 'INSTRUCTIONS',
    shows: 'Bitcoin: a wallet is opened or scans, and in the last minutes a clock runs.',
    heading: /^Scan to pay/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder(), amount: '0.00213', currencyCode: 'BTC' }
      return scripted.link(scriptedPayin({ ...wish, kind: 'BITCOIN' }), wish)
    },
  },
]

const references: readonly Scene[] = [
  {
    name: 'reference-asked',
    screen: 'REFERENCE',
    shows:
      'A transfer that is found by the reference of the customer’s own app: where to pay, then what to enter.',
    heading: /^Transfer €149\.90$/,
    prepare: ordered({ paymentMethodCode: 'OFFLINE_TRANSFER' }),
    async act(tab) {
      await tab.locator('#accountName').fill('Jane Doe')
      await tab.locator('form[action$="/pay"] button').click()
    },
  },
  {
    name: 'reference-upi',
    screen: 'INSTRUCTIONS',
    shows: 'Who has paid may send the number of the payment, with a hint where to find it.',
    heading: /^Enter the payment reference$/,
    prepare: made({ amount: '500', currencyCode: 'INR', paymentMethodCode: 'UPI' }),
    act: (tab) => tab.getByRole('link', { name: 'I have paid' }).click(),
  },
  {
    name: 'reference-faulty',
    screen: 'INSTRUCTIONS',
    shows: 'A number of the wrong length is told apart before anything is sent.',
    heading: /^Enter the payment reference$/,
    prepare: made({ amount: '500', currencyCode: 'INR', paymentMethodCode: 'UPI' }),
    async act(tab) {
      await tab.getByRole('link', { name: 'I have paid' }).click()
      await tab.locator('#externalReference').fill('12345678901')
      await press(tab, /^Send reference$/)
      await tab.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'reference-refused',
    screen: 'REFERENCE',
    shows: 'A reference that the gateway does not take may be corrected.',
    heading: /^Transfer €149\.90$/,
    prepare({ scripted, nextOrder }) {
      const wish = { idPayin: nextOrder() }
      const refer = {
        status: 406,
        body: [{ code: 'INVALID_REF_NUM', message: 'Not a reference of this bank.' }],
      }
      return scripted.link({ ...scriptedPayin({ ...wish, kind: 'REFERENCE' }), refer }, wish)
    },
    async act(tab) {
      await tab.locator('#externalReference').fill('4711-AB')
      await press(tab, /^Send reference$/)
      await tab.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'reference-sent',
    screen: 'REFERENCE_SENT',
    shows: 'The reference was sent, and may be corrected until the payment is found.',
    heading: /^Your payment is being confirmed$/,
    prepare: made(
      { paymentMethodCode: 'OFFLINE_TRANSFER', customerData: { accountName: 'Jane Doe' } },
      (customer) => customer.submit('reference', { externalReference: '4711-AB' }),
    ),
  },
]

const waits: readonly Scene[] = [
  {
    name: 'partial',
    screen: 'PARTIAL',
    shows: 'A part of the money has come: what is missing, and where it goes.',
    heading: /^Part of your payment has arrived$/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }, triggered('partial')),
  },
  {
    name: 'progress',
    screen: 'PROGRESS',
    shows: 'The bank is at work; there is nothing to do, and nothing to be paid again.',
    heading: /^Your payment is being confirmed$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, processorStatus: 'SUBMITTED' }), wish)
    },
  },
  {
    name: 'progress-long',
    screen: 'PROGRESS',
    shows: 'It takes longer than usual: the customer may leave.',
    heading: /^Your payment is being confirmed$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, processorStatus: 'SUBMITTED', ageSeconds: 300 }), wish)
    },
  },
  {
    name: 'leave',
    screen: 'INSTRUCTIONS',
    shows: 'Leaving a payment that is open asks once.',
    heading: /^Your payment is not complete yet\. Leave this page\?$/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }),
    act: (tab) => tab.getByRole('link', { name: /^Cancel and return/ }).click(),
  },
  {
    name: 'test-panel',
    screen: 'INSTRUCTIONS',
    shows: 'In the sandbox a developer decides what the bank does.',
    heading: /^Transfer ¥18,000$/,
    prepare: made({ amount: '18000', currencyCode: 'JPY', paymentMethodCode: 'BANK_TRANSFER' }),
    arrange: (tab) => unfold(tab, '.developer'),
  },
]

export const PAY_SCENES: readonly Scene[] = [...away, ...transfers, ...codes, ...references, ...waits]
