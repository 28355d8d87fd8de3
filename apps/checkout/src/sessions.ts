import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { MerchantInfoSchema } from '@tollgate/contract'
import { type Money, parseAmount } from '@tollgate/money'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { PROBLEM_RULES } from './redirect-url.ts'

// A customer's session is sealed into cookies: the page keeps nothing of its own, so any process can go on with it.

/** PAY is where a payment is made; STATUS only looks at one. */
export type Mode = 'PAY' | 'STATUS'

const Text = Type.String()
const CustomerSchema = Type.Object({
  accountName: Type.Optional(Text),
  accountNumber: Type.Optional(Text),
  bankCode: Type.Optional(Text),
  emailAddress: Type.Optional(Text),
})

const OrderSchema = Type.Object({
  callbackUrl: Text,
  returnUrl: Text,
  money: Type.Object({ amount: Text, currencyCode: Text }),
  paymentMethodCode: Type.Optional(Text),
  paymentOperatorCode: Type.Optional(Text),
  optionsAvailable: Type.Boolean(),
  allowCustomerDataChange: Type.Boolean(),
  customer: CustomerSchema,
})

const SessionSchema = Type.Object({
  merchantCode: Text,
  idPayin: Text,
  token: Text,
  expireAtMs: Type.Integer(),
  language: Type.Optional(Text),
  /** Absent in STATUS. */
  order: Type.Optional(OrderSchema),
  /** What the customer chose. */
  choice: Type.Optional(Type.Object({ methodCode: Text, operatorCode: Type.Optional(Text) })),
  /** What the customer typed, by method. */
  drafts: Type.Record(Text, CustomerSchema),
  /** The method whose form was sent and is to be judged. */
  checked: Type.Optional(Text),
  /** Why the API did not take the payment. */
  refusals: Type.Array(Type.Object({ code: Text, field: Type.Optional(Text) })),
  /** The reference that was sent and not taken. */
  reference: Type.Optional(Text),
  /** The customer has paid, as far as this page knows. */
  isSent: Type.Optional(Type.Boolean()),
  /** When the customer came back from the institution. */
  backAtMs: Type.Optional(Type.Integer()),
  /** Who is paid: for the time when the token has ended and cannot be asked with. */
  shop: Type.Optional(MerchantInfoSchema.properties.channelInfo),
  /** Back there, the customer said that it is approved. */
  isApproved: Type.Optional(Type.Boolean()),
})

const BrokenLinkSchema = Type.Object({
  problems: Type.Array(
    Type.Object({
      parameter: Text,
      rule: Type.Enum([...PROBLEM_RULES]),
      value: Text,
    }),
  ),
  expireAtMs: Type.Integer(),
})

export type Session = Static<typeof SessionSchema>
/** What is wrong with a link, kept so that its address can be cleaned as well. */
type BrokenLink = Static<typeof BrokenLinkSchema>

const isSession = Compile(SessionSchema)
const isBrokenLink = Compile(BrokenLinkSchema)

/** Seals and opens sessions. */
export interface Sessions {
  /** The part of the address under which a payment's page is found: the same for the same payment, and no one's guess. */
  placeOf(mode: Mode, merchantCode: string, idPayin: string): string
  /** Proves that a form was on this payment's page. Each one is written differently, so none can be found by guessing parts. */
  formTokenOf(place: string): string
  /** Whether it is one of the place's. */
  isFormTokenOf(place: string, formToken: string): boolean
  seal(place: string, session: Session): string
  /** Undefined when it was changed, sealed for another place or with another key, or is over. */
  open(place: string, sealed: string): Session | undefined
  /** What is shown of a broken link, for its address. */
  sealProblems(place: string, link: BrokenLink): string
  /** Undefined in the same cases. */
  openProblems(place: string, sealed: string): BrokenLink['problems'] | undefined
  /** What travels in a link to another device. */
  sealTicket(ticket: Uint8Array): string
  /** Undefined when it was changed, or is none. When it ends is written inside. */
  openTicket(sealed: string): Buffer | undefined
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const PLACE_LENGTH = 22
const CIPHER = 'aes-256-gcm'

/**
 * Sessions under a secret of at least 32 bytes. `nowMs` tells when one is over. Where there are several cells, what stands in
 * addresses begins with the letter of this one: by it a router knows whose they are.
 */
export function createSessions(secret: Uint8Array, nowMs: () => number, cell = ''): Sessions {
  if (secret.length < KEY_BYTES) throw new RangeError(`the secret must have ${KEY_BYTES} bytes or more`)
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `tollgate checkout ${purpose}`, KEY_BYTES))
  const sealing = derive('sessions')
  const ticketing = derive('tickets')
  const naming = derive('places')
  const name = (text: string): string =>
    createHmac('sha256', naming).update(text).digest('base64url').slice(0, PLACE_LENGTH)
  return {
    placeOf: (mode, merchantCode, idPayin) =>
      (cell + name(`${mode}\n${merchantCode}\n${idPayin}`)).slice(0, PLACE_LENGTH),
    formTokenOf: (place) => mask(Buffer.from(name(`form\n${place}`))),
    isFormTokenOf(place, formToken) {
      const expected = Buffer.from(name(`form\n${place}`))
      const given = unmask(formToken)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
    seal(place, session) {
      return sealed(sealing, place, Buffer.from(JSON.stringify(session)))
    },
    sealTicket: (ticket) => cell + sealed(ticketing, '', ticket),
    openTicket: (text) =>
      text.startsWith(cell) ? unseal(ticketing, '', text.slice(cell.length)) : undefined,
    open(place, text) {
      const session = parsed(unseal(sealing, place, text))
      return isSession.Check(session) && nowMs() < session.expireAtMs ? session : undefined
    },
    sealProblems: (place, link) => sealed(sealing, place, Buffer.from(JSON.stringify(link))),
    openProblems(place, text) {
      const link = parsed(unseal(sealing, place, text))
      return isBrokenLink.Check(link) && nowMs() < link.expireAtMs ? link.problems : undefined
    },
  }
}

/** The bytes behind as many by chance, with which they are mixed. */
function mask(bytes: Buffer): string {
  const chance = randomBytes(bytes.length)
  return Buffer.concat([chance, mixed(bytes, chance)]).toString('base64url')
}

function unmask(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  const half = bytes.length / 2
  return Number.isInteger(half) ? mixed(bytes.subarray(half), bytes.subarray(0, half)) : Buffer.alloc(0)
}

const mixed = (bytes: Buffer, chance: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, index) => byte ^ (chance[index] ?? 0)))

function sealed(key: Buffer, place: string, content: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place))
  const text = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
}

function parsed(bytes: Buffer | undefined): unknown {
  try {
    return bytes && JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function unseal(key: Buffer, place: string, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

/** The money of an order; what was sealed was an amount. */
export function moneyOf({ money }: NonNullable<Session['order']>): Money {
  const amount = parseAmount(money.amount)
  if (amount === undefined) throw new Error('a sealed amount is none')
  return { amount, currencyCode: money.currencyCode }
}
