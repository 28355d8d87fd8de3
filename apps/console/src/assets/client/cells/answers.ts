/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { CellPayment, CellWaiting, PaymentsAnswer, WaitingAnswer } from '../../../cell-words.ts'

// What other consoles answer. Nothing of it is trusted: it is read member by member, and what is of another shape is no answer.

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 262_144
const TEXT_LENGTH_MAX = 1_000
/** More than one answer of a console has. */
const ITEMS_MAX = 100

/** A cell as this console's settings name it. */
export interface AskedCell {
  readonly letter: string
  readonly origin: string
}

/** Why a cell says nothing. UNKNOWN: it has no such merchant. REFUSED: it does not take the filters. */
export type Problem = 'AWAY' | 'GATEWAY_AWAY' | 'SIGNED_OUT' | 'FORBIDDEN' | 'UNKNOWN' | 'REFUSED' | 'OTHER'

/** What a cell answers, or why it does not; `says` are its own words. */
export type Heard<Answer> =
  | { readonly answer: Answer }
  | { readonly problem: Problem; readonly says?: string | undefined }

type Members = Readonly<Record<string, unknown>>

/** Asks the console of a cell, with the session that this browser has there. Never rejects. */
export async function askCell<Answer>(
  { letter, origin }: AskedCell,
  path: string,
  read: (members: Members) => Answer | undefined,
): Promise<Heard<Answer>> {
  try {
    const response = await fetch(origin + path, {
      credentials: 'include',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const members = membersOf(parsed(await textOf(response)))
    if (!response.ok) return { problem: problemOf(response.status), says: text(members?.['message']) }
    const answer = members?.['cell'] === letter ? read(members) : undefined
    return answer === undefined ? { problem: 'OTHER' } : { answer }
  } catch {
    return { problem: 'AWAY' }
  }
}

const PROBLEMS: Readonly<Record<number, Problem>> = {
  400: 'REFUSED',
  401: 'SIGNED_OUT',
  403: 'FORBIDDEN',
  404: 'UNKNOWN',
  410: 'UNKNOWN',
  503: 'GATEWAY_AWAY',
}

const problemOf = (status: number): Problem => PROBLEMS[status] ?? 'OTHER'

/** The text of an answer; empty where it is longer than any answer is. */
async function textOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let whole = ''
  let bytes = 0
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    if (bytes > ANSWER_BYTES_MAX) {
      await reader.cancel()
      return ''
    }
    whole += decoder.decode(value, { stream: true })
  }
  return whole + decoder.decode()
}

function parsed(whole: string): unknown {
  try {
    const value: unknown = JSON.parse(whole)
    return value
  } catch {
    return undefined
  }
}

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

const membersOf = (value: unknown): Members | undefined => (isMembers(value) ? value : undefined)

/** A text that can be shown and be part of an address; undefined for anything else. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= TEXT_LENGTH_MAX && value.isWellFormed() ? value : undefined

/** All of these members, if all of them are texts. */
function textsIn<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Readonly<Record<Name, string>> | undefined {
  const members = membersOf(value)
  const record = Object.fromEntries(names.map((name) => [name, text(members?.[name])]))
  const isWhole = (each: Readonly<Record<string, string | undefined>>): each is Record<Name, string> =>
    names.every((name) => each[name] !== undefined)
  return isWhole(record) ? record : undefined
}

/** Every item as `read` has it; undefined where one of them is none, or where there are too many. */
function itemsIn<Item>(
  value: unknown,
  read: (item: unknown) => Item | undefined,
): readonly Item[] | undefined {
  if (!Array.isArray(value) || value.length > ITEMS_MAX) return undefined
  const list: readonly unknown[] = value
  const items = list.flatMap((item) => read(item) ?? [])
  return items.length === list.length ? items : undefined
}

const PAYMENT = [
  'kind',
  'merchantCode',
  'idPayment',
  'createdAt',
  'amount',
  'currencyCode',
  'tone',
  'icon',
  'status',
  'kindWords',
  'method',
  'reference',
  'moment',
  'day',
] as const
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

function paymentIn(item: unknown): CellPayment | undefined {
  const found = textsIn(item, PAYMENT)
  return found !== undefined && MOMENT.test(found.createdAt) ? found : undefined
}

/** Payments, the newest first. A page that is followed by another one is not empty. */
export function paymentsIn(members: Members): Pick<PaymentsAnswer, 'data' | 'nextCursor'> | undefined {
  const data = itemsIn(members['data'], paymentIn)
  const { nextCursor: given } = members
  const nextCursor = text(given)
  if (data === undefined || (given !== undefined && nextCursor === undefined)) return undefined
  if (nextCursor !== undefined && data.length === 0) return undefined
  const isInOrder = data.every(
    ({ createdAt }, index) => createdAt <= (data[index - 1]?.createdAt ?? createdAt),
  )
  return isInOrder ? { data, nextCursor } : undefined
}

const waitingItem = (item: unknown): CellWaiting | undefined =>
  textsIn(item, ['kind', 'count', 'says', 'age'])

/** What waits for people in a cell, and its health as the cell calls it. */
export function waitingIn(
  members: Members,
): (Pick<WaitingAnswer, 'data'> & { readonly health: string }) | undefined {
  const data = itemsIn(members['data'], waitingItem)
  const health = text(members['health'])
  return data === undefined || health === undefined ? undefined : { data, health }
}
