import {
  type Customer,
  type CustomerKey,
  type CustomerService,
  createCustomerService,
  type KnownCustomer,
} from '../../modules/customers/index.ts'
import { createMerchantService } from '../../modules/merchants/index.ts'
import { randomIds } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { PAYMENTS_OF_CUSTOMERS } from '../../rooms/parts.ts'
import { CommandFailure } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'

interface Named {
  readonly merchant: string
  readonly id: string
}

interface Listing {
  readonly merchant: string
  readonly limit: number
  readonly after?: string
}

const MASKED = 'Names and account numbers are masked; e-mail address and phone are not shown.'

/** `tollgate customers list`. */
export function list(shell: Shell, { merchant, limit, after }: Listing): Promise<Report> {
  return inHouse(shell, async (house) => {
    const page = await serviceIn(shell, house).list(await merchantIdOf(house, merchant), { after, limit })
    const last = page.customers.at(-1)
    const more = `There are more: --after ${last?.idCustomer ?? ''}`
    return {
      json: page.customers.map(withoutPerson),
      text: table(
        ['CUSTOMER', 'STATUS', 'SEGMENT', 'COUNTRY', 'SINCE'],
        page.customers.map((customer) => {
          const { segmentCode, countryCode } = withoutPerson(customer)
          return [
            customer.idCustomer,
            customer.status,
            segmentCode ?? '',
            countryCode ?? '',
            moment(customer.createdAt),
          ]
        }),
        `${merchant} has no customers${after === undefined ? '' : ` after ${after}`}.`,
      ),
      ...(page.hasMore && { notes: [more] }),
    }
  })
}

/** `tollgate customers show`: enough to recognise a customer that somebody asks about, and no more. */
export function show(shell: Shell, named: Named): Promise<Report> {
  return onCustomer(shell, named, async (customers, key) => {
    const customer = await customers.read(key)
    const person = customer.status === 'ERASED' ? undefined : maskedPerson(customer)
    const plain = withoutPerson(customer)
    return {
      json: { merchantCode: named.merchant, ...plain, ...(person && { masked: person }) },
      text: pairs([
        ['Customer', `${customer.idCustomer} of ${named.merchant}`],
        ['Status', customer.status],
        ['Name', person?.name],
        ['Country', plain.countryCode],
        ['Segment', plain.segmentCode],
        ...(person?.accounts ?? []).map((account) => ['Account', Object.values(account).join(' ')] as const),
        ['Since', moment(customer.createdAt)],
        ['Erased', plain.erasedAt && moment(plain.erasedAt)],
      ]),
      ...(person && { notes: [MASKED] }),
    }
  })
}

/** `tollgate customers block` and `unblock`. */
export function setStatus(shell: Shell, named: Named, status: 'ACTIVE' | 'BLOCKED'): Promise<Report> {
  return onCustomer(shell, named, async (customers, key) => {
    await customers.setStatus(key, status)
    const verb = status === 'ACTIVE' ? 'may make payments again' : 'makes no payments any more'
    return {
      json: { merchantCode: named.merchant, idCustomer: named.id, status },
      text: `The customer ${named.id} of ${named.merchant} ${verb}.`,
    }
  })
}

/** `tollgate customers erase`. */
export function erase(shell: Shell, named: Named): Promise<Report> {
  return onCustomer(shell, named, async (customers, key) => {
    const { erased, kept } = await customers.erase(key)
    return {
      json: { merchantCode: named.merchant, idCustomer: named.id, status: 'ERASED', erased, kept },
      text: [
        `The customer ${named.id} of ${named.merchant} is erased, and so is the personal data of its payments.`,
        `Erased now: account data of payments ${erased.personalData}, statement lines ${erased.statementLines}, answers to callbacks ${erased.callbackAnswers}.`,
        '',
        table(
          ['KEPT', 'COUNT', 'UNTIL', 'WHY'],
          kept.map(({ what, count, until, why }) => [what, String(count), until, why]),
          'Nothing else is kept.',
        ),
      ].join('\n'),
      notes: [BACKUPS],
    }
  })
}

const BACKUPS =
  'Backups from before hold the person. Keep a list of what was erased, and erase it again after a restore.'

function onCustomer(
  shell: Shell,
  { merchant, id }: Named,
  work: (customers: CustomerService, key: CustomerKey) => Promise<Report>,
): Promise<Report> {
  return inHouse(shell, async (house) => {
    const key = { merchantId: await merchantIdOf(house, merchant), idCustomer: id }
    try {
      return await work(serviceIn(shell, house), key)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'ENTITY_NOT_FOUND')
        throw new CommandFailure('NOT_FOUND', `${merchant} has no customer ${id}, or it was erased.`)
      throw new CommandFailure('REFUSED', error.details.items?.[0]?.message ?? error.message)
    }
  })
}

async function merchantIdOf(house: House, merchantCode: string): Promise<string> {
  const merchants = createMerchantService({ ...house, ids: randomIds })
  return (await merchants.show(merchantCode)).merchant.merchantId
}

/** A single look takes no batches. No command sets a segment, so none is looked up. */
function serviceIn(shell: Shell, house: House): CustomerService {
  return createCustomerService({
    ...house,
    clock: shell.clock,
    ids: randomIds,
    hasSegment: () => false,
    ...PAYMENTS_OF_CUSTOMERS,
    batchRowsMax: 1,
    batchesInFlightMax: 1,
  })
}

interface PlainCustomer {
  readonly idCustomer: string
  readonly status: Customer['status']
  readonly segmentCode: string | undefined
  readonly countryCode: string | undefined
  readonly createdAt: Date
  readonly erasedAt: Date | undefined
}

function withoutPerson(customer: Customer): PlainCustomer {
  const { idCustomer, status, createdAt } = customer
  const isErased = customer.status === 'ERASED'
  return {
    idCustomer,
    status,
    segmentCode: isErased ? undefined : customer.segmentCode,
    countryCode: isErased ? undefined : customer.countryCode,
    createdAt,
    erasedAt: isErased ? customer.erasedAt : undefined,
  }
}

const SHOWN_DIGITS = 4

/** `J…` and `…0001`: whoever has the data beside them can compare; whoever has not learns nothing. */
function maskedPerson({ name, accounts }: KnownCustomer): {
  readonly name: string | undefined
  readonly accounts: readonly { readonly accountName: string; readonly accountNumber: string }[]
} {
  const initial = (text: string): string => `${String.fromCodePoint(text.codePointAt(0) ?? 0x2e)}…`
  const ending = (text: string): string =>
    `…${text.length > 2 * SHOWN_DIGITS ? text.slice(-SHOWN_DIGITS) : ''}`
  return {
    name: name === undefined ? undefined : initial(name),
    accounts: accounts.map(({ accountName, accountNumber }) => ({
      accountName: initial(accountName),
      accountNumber: ending(accountNumber),
    })),
  }
}
