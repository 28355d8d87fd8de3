import type { Payin, PaymentOption } from '@tollgate/sdk'
import type { Said, Script } from './screens-script.ts'

/** What a scripted payin is of. */
interface PayinWish {
  readonly idPayin: string
  readonly amount?: string
  readonly currencyCode?: string
  readonly kind?: Kind
  readonly status?: string
  readonly processorStatus?: string
  /** So long ago it was made. */
  readonly ageSeconds?: number
}

type Kind = 'TRANSFER' | 'REDIRECT' | 'REFERENCE' | 'PIX' | 'BITCOIN' | 'BROKEN'

const PIX_CODE =
  '00020126580014BR.GOV.BCB.PIX013612e4567e-12d1-4a45-8426-655440000a7f520400005303986540614' +
  '9.905802BR5916Tollgate Sandbox6009Sao Paulo62160512PX83KD02MA716304A13F'
const BITCOIN_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const BITCOIN_URI = `bitcoin:${BITCOIN_ADDRESS}?amount=0.00213&label=Tollgate%20Sandbox`
const REFERENCE = 'RF18539007547034'

const BANK_ACCOUNT = {
  accountName: 'Tollgate Sandbox',
  accountNumber: 'DE02120300000000202051',
  bankCode: 'BYLADEM1001',
  bankName: 'Sparkasse Elbstrom',
}

type Response = Partial<Payin['paymentMethodResponse']> &
  Pick<Payin['paymentMethodResponse'], 'paymentMethodCode'>

/** How each kind is paid; how long it may take, in seconds. */
const KINDS: Readonly<Record<Kind, { readonly response: Response; readonly seconds: number }>> = {
  TRANSFER: { response: { paymentMethodCode: 'BANK_TRANSFER', account: BANK_ACCOUNT }, seconds: 259_200 },
  REDIRECT: {
    response: {
      paymentMethodCode: 'ONLINE_BANKING',
      paymentOperatorCode: 'BANKA_VLTAVA',
      redirectUrl: 'http://bank.localhost/pay/4711',
    },
    seconds: 1_800,
  },
  REFERENCE: { response: { paymentMethodCode: 'OFFLINE_TRANSFER', account: BANK_ACCOUNT }, seconds: 259_200 },
  PIX: { response: { paymentMethodCode: 'PIX', qr: { format: 'PIX', content: PIX_CODE } }, seconds: 1_800 },
  BITCOIN: {
    response: {
      paymentMethodCode: 'CRYPTO',
      account: { ...BANK_ACCOUNT, accountNumber: BITCOIN_ADDRESS, bankCode: '', bankName: '' },
      qr: { format: 'BIP21', content: BITCOIN_URI },
      deepLinks: [BITCOIN_URI],
    },
    seconds: 590,
  },
  // A moment that is none.
  BROKEN: {
    response: { paymentMethodCode: 'BANK_TRANSFER', account: BANK_ACCOUNT, expireAt: 'soon' },
    seconds: 1,
  },
}

/** An API that knows this payin. */
export function scriptedPayin(wish: PayinWish): Script {
  const { idPayin, amount = '149.90', currencyCode = 'EUR', kind = 'TRANSFER', status = 'CREATED' } = wish
  const { response, seconds } = KINDS[kind]
  const acceptedAtMs = Date.now() - (wish.ageSeconds ?? 0) * 1000
  const atMs = (ms: number): string => new Date(ms).toISOString()
  const processorStatus =
    wish.processorStatus ?? (kind === 'REFERENCE' ? 'AWAITING_REFERENCE' : 'AWAITING_CUSTOMER')
  const money = { amount, currencyCode }
  const body: Payin = {
    paymentRequested: { money },
    paymentMethodResponse: {
      idPayin,
      money,
      reference: REFERENCE,
      returnUrl: 'http://shop.localhost/thanks',
      acceptedAt: atMs(acceptedAtMs),
      expireAt: atMs(acceptedAtMs + seconds * 1000),
      ...response,
    },
    process: {
      status,
      processorStatus,
      createdAt: atMs(acceptedAtMs),
      processedAt: atMs(Date.now()),
      isTest: true,
    },
  }
  return { look: { status: 200, body } }
}

/** An API that offers one method. */
export function offered(
  method: Omit<PaymentOption, 'externalReference' | 'limits' | 'fee'>,
): Said<{ readonly data: readonly PaymentOption[] }> {
  const fee = { amount: '0', currencyCode: 'EUR' }
  return { status: 200, body: { data: [{ ...method, externalReference: 'NONE', limits: [], fee }] } }
}
