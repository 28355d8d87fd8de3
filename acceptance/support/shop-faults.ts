import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Shops that are wrong in one way each: copies of the shop and the SDK of the repository with a text replaced.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Patch {
  /** From the root of the copy. */
  readonly file: string
  /** It must be there exactly once. */
  readonly find: string
  readonly replace: string
}

/** A shop that is wrong, and the case that must see it. */
interface ShopFault {
  readonly caughtBy: string
  /** What the shop does wrong, as a sentence without its full stop. */
  readonly title: string
  readonly patches: readonly Patch[]
}

const ORDERS = 'shop/src/orders.ts'
const SHOP = 'shop/src/shop.ts'
const CALLBACKS = 'sdk/src/callbacks.ts'

const TAKE_STATUS = '      order.status = payin.process.status\n'
const HEAR = '      if (order !== undefined) order.heard.push('
const READ = '    read: (order) => settle(order).catch(() => undefined),\n'
const IN_TURN = 'const asking = order.asked.then(async () => {'
const CREATE = '      const { payin } = await gateway.payins.create(order.id, {\n'
const IF_NOT_SIGNED = '  if (!(await isSigned(signed, signatures, keysOf(publicKeys))))\n'

const takes = (replace: string): readonly Patch[] => [{ file: ORDERS, find: TAKE_STATUS, replace }]

export const SHOP_FAULTS: readonly ShopFault[] = [
  {
    caughtBy: 'early',
    title: 'it stores the order after the payment is created',
    patches: [
      { file: ORDERS, find: CREATE, replace: `      orders.delete(order.id)\n${CREATE}` },
      {
        file: ORDERS,
        find: '      return payin.paymentMethodResponse.redirectUrl',
        replace: '      orders.set(order.id, order)\n      return payin.paymentMethodResponse.redirectUrl',
      },
    ],
  },
  {
    caughtBy: 'return-first',
    title: 'it closes an order whose customer is back without having paid',
    patches: [
      {
        file: ORDERS,
        find: READ,
        replace:
          '    read: async (order) => { const payin = await settle(order); order.isClosed = order.status === "CREATED"; return payin },\n',
      },
      { file: ORDERS, find: HEAR, replace: HEAR.replace('order !== undefined', 'order?.isClosed !== true') },
    ],
  },
  {
    caughtBy: 'twice',
    title: 'it sends the goods at every callback about success',
    patches: [{ file: ORDERS, find: ' && order.fulfilled === 0) order', replace: ') order' }],
  },
  {
    caughtBy: 'at-once',
    title: 'it looks whether the goods are sent before it reads the payment',
    patches: [
      {
        file: ORDERS,
        find: IN_TURN,
        replace:
          'const isNew = order.fulfilled === 0\n    const asking = Promise.resolve().then(async () => {',
      },
      { file: ORDERS, find: ' && order.fulfilled === 0) order', replace: ' && isNew) order' },
    ],
  },
  {
    caughtBy: 'out-of-order',
    title: 'it knows REVERSED only after SUCCESS',
    patches: takes(
      `      if (payin.process.status !== 'REVERSED' || order.status === 'SUCCESS') order.status = payin.process.status\n`,
    ),
  },
  {
    caughtBy: 'overtaken',
    title: 'it reads a payment several times at once, and the answer that is written last wins',
    patches: [
      { file: ORDERS, find: IN_TURN, replace: 'const asking = Promise.resolve().then(async () => {' },
    ],
  },
  {
    caughtBy: 'retry',
    title: 'it answers 200 although it could not read the payment',
    patches: [
      {
        file: SHOP,
        find: 'await orders.hear(idEntity, eventId)',
        replace: 'await orders.hear(idEntity, eventId).catch(() => undefined)',
      },
    ],
  },
  {
    caughtBy: 'lost-callback',
    title: 'it learns of payments by callbacks alone',
    patches: [
      {
        file: ORDERS,
        find: READ,
        replace: '    read: ({ id }) => gateway.payins.read(id).catch(() => undefined),\n',
      },
    ],
  },
  {
    caughtBy: 'lost-answer',
    title: 'it creates a payment with a new id when the answer is lost',
    patches: [
      {
        file: SHOP,
        find: 'createGateway({ baseUrl: apiUrl,',
        replace: 'createGateway({ retries: 0, baseUrl: apiUrl,',
      },
      {
        file: ORDERS,
        find: CREATE,
        replace: `      const anew = (wish) => gateway.payins.create(order.id, wish).catch(() => gateway.payins.create(randomUUID(), wish))
      const { payin } = await anew({\n`,
      },
    ],
  },
  {
    caughtBy: 'reversed',
    title: 'it takes SUCCESS for the end',
    patches: takes(`      if (order.status !== 'SUCCESS') order.status = payin.process.status\n`),
  },
  {
    caughtBy: 'late-money',
    title: 'it takes EXPIRED for the end',
    patches: takes(`      if (order.status !== 'EXPIRED') order.status = payin.process.status\n`),
  },
  {
    caughtBy: 'partial',
    title: 'it takes a payment for paid that no longer waits for its customer',
    patches: takes(
      `      const { status, processorStatus } = payin.process
      const isWaiting = ['ACCEPTED', 'AWAITING_CUSTOMER'].includes(processorStatus)
      order.status = status === 'CREATED' && !isWaiting ? 'SUCCESS' : status\n`,
    ),
  },
  {
    caughtBy: 'unknown-status',
    title: 'it takes every status for paid that it does not know',
    patches: takes(
      `      const { status } = payin.process
      order.status = ['CREATED', 'FAILED', 'EXPIRED', 'CANCELLED', 'REVERSED'].includes(status) ? status : 'SUCCESS'\n`,
    ),
  },
  {
    caughtBy: 'unknown-fields',
    title: 'it refuses callbacks with members that it does not know',
    patches: [
      {
        file: CALLBACKS,
        find: '  if (idEntity === undefined ||',
        replace: '  if (Object.keys(body).length > 1 || idEntity === undefined ||',
      },
    ],
  },
  {
    caughtBy: 'unsigned',
    title: 'it verifies only callbacks that have a signature',
    patches: [
      {
        file: CALLBACKS,
        find: '  if (!id || !timestamp || !signatures)',
        replace:
          '  if (!signatures) return readCallback(parsed(body), headers)\n  if (!id || !timestamp || !signatures)',
      },
    ],
  },
  {
    caughtBy: 'stranger',
    title: 'it verifies no signature',
    patches: [{ file: CALLBACKS, find: IF_NOT_SIGNED, replace: '  if (Date.now() === 0)\n' }],
  },
  {
    caughtBy: 'changed-body',
    title: 'it verifies each webhook-id once',
    patches: [
      {
        file: CALLBACKS,
        find: IF_NOT_SIGNED,
        replace: `  const isKnown = known.has(id)\n  known.add(id)\n${IF_NOT_SIGNED.replace('(!(', '(!isKnown && !(')}`,
      },
      {
        file: CALLBACKS,
        find: 'const SIGNATURES_MAX = 10\n',
        replace: 'const SIGNATURES_MAX = 10\nconst known = new Set()\n',
      },
    ],
  },
  {
    caughtBy: 'replayed',
    title: 'it takes callbacks of any age',
    patches: [{ file: CALLBACKS, find: '.test(timestamp) || !isClose)', replace: '.test(timestamp))' }],
  },
  {
    caughtBy: 'unknown-payment',
    title: 'it expects to have every order that a callback names',
    patches: [{ file: ORDERS, find: HEAR, replace: '      order.heard.push(' }],
  },
  {
    caughtBy: 'forged-return',
    title: 'it believes the address that the customer comes back with',
    patches: [
      {
        file: SHOP,
        find: '  const act = ROUTES[',
        replace:
          "  if (request.url.includes('status=SUCCESS')) orders.find(name).fulfilled = 1\n  const act = ROUTES[",
      },
    ],
  },
]

/** Copies the shop and the SDK into the folder, puts the fault in, and returns the file to start. */
export function copyShop(folder: string, { patches }: Pick<ShopFault, 'patches'>): string {
  for (const [from, to] of [
    ['apps/shop', 'shop'],
    ['packages/sdk', 'sdk'],
  ] as const)
    for (const part of ['src', 'package.json'])
      cpSync(join(ROOT, from, part), join(folder, to, part), { recursive: true })
  mkdirSync(join(folder, 'node_modules/@tollgate'), { recursive: true })
  symlinkSync(join(folder, 'sdk'), join(folder, 'node_modules/@tollgate/sdk'))
  for (const { file, find, replace } of patches) {
    const path = join(folder, file)
    const [before, after, ...others] = readFileSync(path, 'utf8').split(find)
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error(`${file} does not have this text exactly once any more:\n${find}`)
    writeFileSync(path, before + replace + after)
  }
  return join(folder, 'shop/src/main.ts')
}
