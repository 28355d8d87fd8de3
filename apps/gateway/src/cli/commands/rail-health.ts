import type { InstitutionListSchema, InstitutionSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { get, type OperatorOptions, pathOf, put } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { oneOf, reason, wholeNumber } from '../values.ts'

const TYPES = ['operator', 'rail'] as const
const DIRECTIONS = ['payin', 'payout'] as const
const AVAILABILITIES = ['operational', 'delayed', 'closed'] as const
const MINUTES_MAX = 525_600

const list = clientCommand({
  command: 'list',
  says: 'list institutions that are or were unavailable, with operators’ settings',
  permission: 'institutions.read',
  asks: () => get('/operator/institutions'),
  shows: ({ data }: Printed<typeof InstitutionListSchema>, pen) =>
    pen.table(
      ['INSTITUTION', 'DIRECTION', 'IS', 'SEEN AS', 'SINCE', 'ANSWERED', 'SAID BY', 'UNTIL', 'REASON'],
      data.map(({ type, code, said, answered, unanswered, ...each }) => [
        `${type.toLowerCase()} ${code}`,
        each.direction,
        each.availability,
        each.observed,
        pen.momentOf(each.observedSince),
        `${answered}/${answered + unanswered}`,
        said?.operatorCode ?? '',
        pen.momentOf(said?.until) ?? '',
        said?.reason ?? '',
      ]),
      'All institutions are available.',
    ),
})

const pathTo = (type: string, code: string, direction: string): string =>
  pathOf`/operator/institutions/${oneOf('<type>', TYPES)(type).toUpperCase()}/${code}/${oneOf('<direction>', DIRECTIONS)(direction).toUpperCase()}`

interface SetOptions extends OperatorOptions {
  readonly reason: string
  readonly minutes?: number
}

const set = clientCommand({
  command: 'set <type> <code> <direction> <availability>',
  says: `set the availability of an institution, overriding the workers; closed ones take no payments (type: ${TYPES.join(', ')}; direction: payin also means top-ups, payout also settlements; availability: ${AVAILABILITIES.join(', ')})`,
  options: [
    { flags: '--reason <text>', says: 'shown in the list', read: reason, isRequired: true },
    {
      flags: '--minutes <count>',
      says: 'duration; default: until cleared',
      read: wholeNumber('--minutes', 1, MINUTES_MAX),
    },
  ],
  permission: 'institutions.change',
  isByName: true,
  asks: (typed, { reason: why, minutes }: SetOptions) =>
    put(pathTo(typed.type, typed.code, typed.direction), {
      availability: oneOf('<availability>', AVAILABILITIES)(typed.availability).toUpperCase(),
      reason: why,
      minutes,
    }),
  shows: (set: Printed<typeof InstitutionSchema>, _pen, _typed, { minutes }) =>
    `${set.code} is ${set.availability} for ${set.direction}s, ${
      minutes === undefined ? 'until it is cleared' : `for ${minutes} min`
    }.`,
})

const clear = clientCommand({
  command: 'clear <type> <code> <direction>',
  says: 'remove the setting; the workers decide again',
  permission: 'institutions.change',
  isByName: true,
  asks: (typed) => ({ method: 'DELETE', path: pathTo(typed.type, typed.code, typed.direction) }),
  shows: (_cleared: null, _pen, typed) => `The workers decide again about ${typed.code}.`,
})

/** `tollgate rails health`: whether institutions are there. */
export function addRailHealthCommands(rails: Command, shell: Shell): void {
  const health = rails.command('health').description('availability of banks, wallets and rails')
  for (const command of [list, set, clear]) command.addTo(health, shell)
}
