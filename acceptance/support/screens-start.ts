import { offered } from './screens-payin.ts'
import { JANE, made, ordered, press, type Scene, unfold } from './screens-scene.ts'

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
    shows: 'The customer chooses how to pay; nothing is chosen beforehand.',
    heading: /^How would you like to pay €149\.90\?$/,
    prepare: ordered(),
  },
  {
    name: 'choose-method-missing',
    screen: 'START',
    shows: 'Going on without a choice is answered first on the page, with a link to the choices.',
    heading: /^How would you like to pay €149\.90\?$/,
    prepare: ordered(),
    async act(tab) {
      await press(tab, /^Continue$/)
      await tab.getByRole('alert').waitFor()
    },
  },
  {
    name: 'choose-method-gone',
    screen: 'START',
    shows: 'What the shop suggested cannot be had for this amount, and another way may be chosen.',
    heading: /^How would you like to pay €149\.90\?$/,
    prepare: ordered({ paymentMethodCode: 'UPI', optionsAvailable: true }),
  },
  {
    name: 'choose-bank',
    screen: 'START',
    shows: 'A method with several banks asks for one of them.',
    heading: /^Choose your bank$/,
    prepare: ordered({ paymentMethodCode: 'ONLINE_BANKING', optionsAvailable: true }),
  },
  {
    name: 'choose-bank-search',
    screen: 'START',
    shows: 'A long list is searched, whatever the case and the accents.',
    heading: /^Choose your bank$/,
    prepare: ({ scripted, nextOrder }) =>
      scripted.link({ offer: MANY_BANKS }, { idPayin: nextOrder(), paymentMethodCode: 'ONLINE_BANKING' }),
    arrange: (tab) => tab.getByRole('searchbox').fill('sp'),
  },
  {
    name: 'choose-wallet',
    screen: 'START',
    shows: 'Wallets are asked for in the same way.',
    heading: /^Choose your wallet$/,
    prepare: ordered({ paymentMethodCode: 'WALLET' }),
  },
]

const fillings: readonly Scene[] = [
  {
    name: 'details',
    screen: 'START',
    shows: 'Only what the method can use is asked for, and the button says what comes next.',
    heading: /^Your details$/,
    prepare: ordered({ paymentMethodCode: 'BANK_TRANSFER', optionsAvailable: true }),
  },
  {
    name: 'details-faults',
    screen: 'START',
    shows: 'What was typed wrongly is said at its field and first on the page.',
    heading: /^Your details$/,
    prepare: ordered({ paymentMethodCode: 'BANK_TRANSFER' }),
    async act(tab) {
      await tab.locator('#accountNumber').fill('DE88370400440532013000')
      await tab.locator('#emailAddress').fill('jane@')
      await tab.locator('form[action$="/pay"] button').click()
      await tab.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'details-prefilled',
    screen: 'START',
    shows: 'What the shop supplied is filled in, judged at once, and may be changed.',
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
    shows: 'What the shop has fixed is shown in part; only what is missing is asked for.',
    heading: /^Your details$/,
    prepare: ordered({
      paymentMethodCode: 'OFFLINE_TRANSFER',
      customerData: { emailAddress: 'jane.doe@example.org' },
    }),
  },
  {
    name: 'confirm',
    screen: 'START',
    shows: 'Where nothing is to be asked, one click remains: a link that is only opened pays nothing.',
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
    shows: 'Ten languages, each by its own name.',
    heading: /^How would you like to pay €149\.90\?$/,
    prepare: ordered(),
    arrange: (tab) => unfold(tab, '.languages'),
  },
  {
    name: 'offline',
    screen: 'INSTRUCTIONS',
    shows: 'A browser without a network says so, and goes on by itself.',
    heading: /^Scan to pay/,
    prepare: made({ paymentMethodCode: 'BANK_TRANSFER' }),
    async arrange(tab) {
      await tab.context().setOffline(true)
      await tab.locator('.banner').waitFor()
    },
    tidy: (tab) => tab.context().setOffline(false),
  },
]

export const START_SCENES: readonly Scene[] = [...choices, ...fillings, ...frames]
