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
    shows: 'On to the bank; on a large screen a QR code continues on the phone.',
    heading: /^Continue at Banka Vltava$/,
    isCounting: true,
    prepare: made(BANK),
  },
  {
    name: 'unavailable',
    screen: 'UNAVAILABLE',
    shows: 'The bank does not respond and does not have the payment yet.',
    heading: /^Banka Vltava is not responding right now$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, kind: 'REDIRECT', processorStatus: 'ACCEPTED' }), wish)
    },
  },
  {
    name: 'back-checking',
    screen: 'CHECKING',
    shows: 'Back from the bank, which has not reported a result yet.',
    heading: /^Your payment is being confirmed$/,
    prepare: made(BANK),
    act: comeBack,
  },
  {
    name: 'back-returned',
    screen: 'RETURNED',
    shows: 'Still no result: go back to the bank, or say that the payment is already approved.',
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
    shows: 'A transfer in euro: a QR code for the banking app, and a copy button for each detail.',
    heading: /^Transfer from your bank$/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }),
  },
  {
    name: 'transfer-spayd',
    screen: 'INSTRUCTIONS',
    shows: 'A transfer in Czech koruna has the QR code of Czech banks.',
    heading: /^Transfer from your bank$/,
    prepare: made({ amount: '3490', currencyCode: 'CZK', paymentMethodCode: 'BANK_TRANSFER' }),
  },
  {
    name: 'transfer-plain',
    screen: 'INSTRUCTIONS',
    shows: 'Without a QR standard for the currency, the details are typed or copied.',
    heading: /^Transfer from your bank$/,
    prepare: made({ amount: '18000', currencyCode: 'JPY', paymentMethodCode: 'BANK_TRANSFER' }),
  },
  {
    name: 'code-enlarged',
    screen: 'INSTRUCTIONS',
    shows: 'The QR code enlarged on white, in every theme, to scan with another phone.',
    heading: /^Transfer from your bank$/,
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
    shows: 'UPI: open the app on the phone, or scan the code.',
    heading: /^Pay with UPI$/,
    prepare: made({ amount: '500', currencyCode: 'INR', paymentMethodCode: 'UPI' }),
  },
  {
    name: 'code-pix',
    screen: 'INSTRUCTIONS',
    shows: 'Pix: the QR code, and the same as text to paste.',
    heading: /^Pay with Pix$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder(), currencyCode: 'BRL' }
      return scripted.link(scriptedPayin({ ...wish, kind: 'PIX' }), wish)
    },
  },
  {
    name: 'code-bitcoin',
    screen: 'INSTRUCTIONS',
    shows: 'Bitcoin: open or scan with a wallet; a countdown runs in the last minutes.',
    heading: /^Pay with Cryptocurrency$/,
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
    shows: 'A transfer matched by the reference of the customer’s app: where to pay, then what to enter.',
    heading: /^Transfer from your bank$/,
    prepare: ordered({ paymentMethodCode: 'OFFLINE_TRANSFER' }),
    async act(tab) {
      await tab.locator('#accountName').fill('Jane Doe')
      await tab.locator('form[action$="/pay"] button').click()
    },
  },
  {
    name: 'reference-upi',
    screen: 'INSTRUCTIONS',
    shows: 'Customers who have paid enter the reference, with a hint where to find it.',
    heading: /^Enter the payment reference$/,
    prepare: made({ amount: '500', currencyCode: 'INR', paymentMethodCode: 'UPI' }),
    act: (tab) => tab.getByRole('link', { name: 'I have paid' }).click(),
  },
  {
    name: 'reference-faulty',
    screen: 'INSTRUCTIONS',
    shows: 'A reference of the wrong length is reported before it is sent.',
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
    shows: 'A reference that the gateway refuses can be corrected.',
    heading: /^Transfer from your bank$/,
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
    shows: 'The reference was sent and can be corrected until the payment is found.',
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
    shows: 'Part of the money has arrived: what is missing, and where to send it.',
    heading: /^Part of your payment has arrived$/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }, triggered('partial')),
  },
  {
    name: 'progress',
    screen: 'PROGRESS',
    shows: 'The bank is confirming the payment; the customer must not pay again.',
    heading: /^Your payment is being confirmed$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, processorStatus: 'SUBMITTED' }), wish)
    },
  },
  {
    name: 'progress-long',
    screen: 'PROGRESS',
    shows: 'It takes longer than usual: the customer can leave the page.',
    heading: /^Your payment is being confirmed$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, processorStatus: 'SUBMITTED', ageSeconds: 300 }), wish)
    },
  },
  {
    name: 'leave',
    screen: 'INSTRUCTIONS',
    shows: 'Leaving an open payment asks for confirmation.',
    heading: /^Your payment is not complete yet\. Leave this page\?$/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }),
    act: (tab) => tab.getByRole('link', { name: /^Cancel and return/ }).click(),
  },
  {
    name: 'test-panel',
    screen: 'INSTRUCTIONS',
    shows: 'In the sandbox, developers choose the bank’s answer.',
    heading: /^Transfer from your bank$/,
    prepare: made({ amount: '18000', currencyCode: 'JPY', paymentMethodCode: 'BANK_TRANSFER' }),
    arrange: (tab) => unfold(tab, '.developer'),
  },
]

export const PAY_SCENES: readonly Scene[] = [...away, ...transfers, ...codes, ...references, ...waits]
