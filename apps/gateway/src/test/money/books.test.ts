import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Money } from '@tollgate/money'
import fc from 'fast-check'
import { LEDGER_EVENTS } from '../../modules/ledger/model.ts'
import { textOf } from '../../modules/payments/model.ts'
import { calls, type Intent, pauses, resolve } from './arbitraries.ts'
import { apply, type Books, EMPTY_BOOKS } from './books.ts'
import { type Command, feeOf, printCommand } from './commands.ts'
import { type Auditor, assertAcknowledged, assertReplay, createAuditor } from './invariants.ts'

const RUNS = 5_000
const COMMANDS_MAX = 60
/** Those of merchants' money. Money in suspense has a property of its own, in the room of statements. */
const EVENTS = LEDGER_EVENTS.filter((event) => !event.startsWith('SUSPENSE') && event !== 'NETWORK_FEE')
/** How often each event and each answer must have come up for the runs to count. */
const SEEN_MIN = 25

/** What callers know: the payments that were acknowledged to them. */
interface Known {
  readonly acknowledged: Map<string, { readonly money: Money; readonly fee: Money }>
}

interface Installation {
  books: Books
  readonly auditor: Auditor
  readonly answers: Map<string, number>
}

/** Commands that follow each other; after each one all is audited. */
class Step implements fc.Command<Known, Installation> {
  readonly #intent: Intent
  #commands: readonly Command[] = []

  constructor(intent: Intent) {
    this.#intent = intent
  }

  check(): boolean {
    return true
  }

  run({ acknowledged }: Known, installation: Installation): void {
    this.#commands = resolve(this.#intent, installation.books)
    for (const command of this.#commands) {
      const { books, outcomes } = apply(installation.books, command)
      installation.books = books
      for (const outcome of outcomes)
        count(installation.answers, command.name === 'SETTLE' ? 'SETTLED' : outcome)
      if (command.name === 'CREATE' && outcomes[0] === 'ACCEPTED')
        acknowledged.set(textOf(command.key), { money: command.money, fee: feeOf(command) })
      installation.auditor.audit(books)
      assertAcknowledged(books, acknowledged)
    }
  }

  toString(): string {
    return this.#commands.map(printCommand).join(', then ')
  }
}

const count = (counts: Map<string, number>, what: string): void => {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

const STEPS = fc.commands<Known, Installation>(
  [
    fc
      .oneof({ weight: 12, arbitrary: calls(3) }, { weight: 1, arbitrary: pauses })
      .map((intent) => new Step(intent)),
  ],
  { maxCommands: COMMANDS_MAX, size: 'max' },
)

const ANSWERS = ['ACCEPTED', 'DUPLICATE', 'INSUFFICIENT', 'SAME', 'REFUSED', 'MISSING', 'SETTLED'] as const
const CHANGES = ['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED', 'REVERSED'] as const

test('whatever is done in whatever order, the books agree with themselves and with the payments after every step', () => {
  const answers = new Map<string, number>()
  const events = new Map<string, number>()
  fc.assert(
    fc.property(STEPS, (steps) => {
      const installation: Installation = { books: EMPTY_BOOKS, auditor: createAuditor(), answers }
      fc.modelRun(() => ({ model: { acknowledged: new Map() }, real: installation }), steps)
      assertReplay(installation.books)
      for (const { event } of installation.books.transfers) count(events, event)
    }),
    { numRuns: RUNS },
  )
  for (const what of [...ANSWERS, ...CHANGES.map((status) => `CHANGED ${status}`)])
    assert((answers.get(what) ?? 0) >= SEEN_MIN, `${what}: ${String(answers.get(what))}`)
  for (const event of EVENTS)
    assert((events.get(event) ?? 0) >= SEEN_MIN, `${event}: ${String(events.get(event))}`)
})
