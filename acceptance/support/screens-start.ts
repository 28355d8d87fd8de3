import { offered } from './screens-payin.ts'
import { JANE, made, ordered, type Scene, unfold } from './screens-scene.ts'

// Before there is a payment: choosing, filling in, confirming.

const BANKS = [
  'Banka Vltava',
  'Banca dei Due Mari',
  'Banco Marisol',
  'Banque Luminaire',
  'Česká lipová spořitelna',
  'Hoshizora Bank',
  'Meridonia Bank',
  'Nordlys Sparebank',
  'Raiffeisenkasse Unteres Mühlviertel und Umgebung',
  'Sparkasse Elbstrom',
  'Tumbleweed Savings',
  'Złota Brama Bank',
]

/** More banks than fit a screen. */
const MANY_BANKS = offered({
  paymentMethodCode: 'ONLINE_BANKING',
  name: 'Online banking',
  flow: 'REDIRECT',
  paymentOperators: BANKS.map((name, index) => ({ code: `BANK_${index + 1}`, name })),
  fields: [{ name: 'paymentOperatorCode', required: true }],
})

const choices: readonly Scene[] = [
  {
    name: 'choose-method',
    screen: 'START',
    shows: 'The customer chooses a payment method: one press on its row.',
    heading: /^How would you like to pay\?$/,
    prepare: ordered(),
  },
  {
    name: 'choose-method-gone',
    screen: 'START',
    shows: 'The method suggested by the shop is not available for this amount.',
    heading: /^How would you like to pay\?$/,
    prepare: ordered({ paymentMethodCode: 'UPI', optionsAvailable: true }),
  },
  {
    name: 'choose-bank',
    screen: 'START',
    shows: 'A method with several banks asks which one.',
    heading: /^Choose your bank$/,
    prepare: ordered({ paymentMethodCode: 'ONLINE_BANKING', optionsAvailable: true }),
  },
  {
    name: 'choose-bank-search',
    screen: 'START',
    shows: 'A long list has a search that ignores case and accents.',
    heading: /^Choose your bank$/,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ offer: MANY_BANKS }, { idPayin: nextOrder(), paymentMethodCode: 'ONLINE_BANKING' }),
    arrange: (tab) => tab.getByRole('searchbox').fill('sp'),
  },
  {
    name: 'choose-wallet',
    screen: 'START',
    shows: 'Wallets are chosen in the same way.',
    heading: /^Choose your wallet$/,
    prepare: ordered({ paymentMethodCode: 'WALLET' }),
  },
]

const fillings: readonly Scene[] = [
  {
    name: 'details',
    screen: 'START',
    shows: 'Only the fields that the method needs; the button names the next step.',
    heading: /^Your details$/,
    prepare: ordered({ paymentMethodCode: 'OFFLINE_TRANSFER', optionsAvailable: true }),
  },
  {
    name: 'details-optional',
    screen: 'START',
    shows: 'What the method can do without is folded.',
    heading: /^Pay €149\.90 to Demo Shop with Bank transfer$/,
    prepare: ordered({ paymentMethodCode: 'BANK_TRANSFER', optionsAvailable: true }),
  },
  {
    name: 'details-faults',
    screen: 'START',
    shows: 'Errors are shown at the field and in a summary at the top.',
    heading: /^Your details$/,
    prepare: ordered({ paymentMethodCode: 'BANK_TRANSFER' }),
    async act(tab) {
      await unfold(tab, '.fold')
      await tab.locator('#accountNumber').fill('DE88370400440532013000')
      await tab.locator('#emailAddress').fill('jane@')
      await tab.locator('form[action$="/pay"] button').click()
      await tab.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'details-prefilled',
    screen: 'START',
    shows: 'Details from the shop are filled in, validated and editable.',
    heading: /^Your details$/,
    prepare: ordered({
      paymentMethodCode: 'BANK_TRANSFER',
      allowCustomerDataChange: true,
      customerData: { ...JANE, emailAddress: 'jane.doe@example.org' },
    }),
  },
  {
    name: 'details-locked',
    screen: 'START',
    shows: 'Fixed details from the shop are masked; only missing ones are asked for.',
    heading: /^Your details$/,
    prepare: ordered({
      paymentMethodCode: 'OFFLINE_TRANSFER',
      customerData: { emailAddress: 'jane.doe@example.org' },
    }),
  },
  {
    name: 'confirm',
    screen: 'START',
    shows: 'With nothing to ask, one click remains: opening a link never creates a payment.',
    heading: /^Pay €149\.90 to Demo Shop with Banka Vltava$/,
    prepare: ordered({
      paymentMethodCode: 'ONLINE_BANKING',
      paymentOperatorCode: 'BANKA_VLTAVA',
      customerData: { accountName: JANE.accountName },
    }),
  },
]

const frames: readonly Scene[] = [
  {
    name: 'languages',
    screen: 'START',
    shows: 'Ten languages, each in its own name.',
    heading: /^How would you like to pay\?$/,
    prepare: ordered(),
    arrange: (tab) => unfold(tab, '.languages'),
  },
  {
    name: 'offline',
    screen: 'INSTRUCTIONS',
    shows: 'Offline: the page says so and continues automatically.',
    heading: /^Transfer from your bank$/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }),
    async arrange(tab) {
      await tab.context().setOffline(true)
      await tab.locator('.banner').waitFor()
    },
    tidy: (tab) => tab.context().setOffline(false),
  },
]

export const START_SCENES: readonly Scene[] = [...choices, ...fillings, ...frames]
