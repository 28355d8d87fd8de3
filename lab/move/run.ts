import { figure, terminalTable } from '../rig/table.ts'
import { moveUnderLoad } from './under-load.ts'
import { movesWithKills } from './with-kills.ts'

interface MoveWish {
  /** Of the merchant that goes, before it goes. */
  readonly payments: number
  /** To and fro, with kills. */
  readonly moves: number
  readonly seed: number
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * `npm run lab -- move`: a merchant goes under load to a cell that has merchants already, then another one to and fro while commands and processes are
 * killed. True when nothing was lost or done twice.
 */
export async function runMove({ payments, moves, seed }: MoveWish): Promise<boolean> {
  say('A merchant moves to another cell under load')
  const isRight = await reportOne(payments)
  say(`\n${moves} moves while something is killed (seed ${seed})`)
  const many = await movesWithKills(moves, seed, say)
  say(
    terminalTable(
      [
        'moves',
        'kills',
        'of them in neither cell',
        'given up',
        'acknowledged',
        'lost',
        'doubled',
        'changed in both cells',
        'transfers not the same',
      ],
      [
        [
          many.moves,
          many.kills,
          many.between,
          many.givenUp,
          many.acknowledged,
          many.lost,
          many.doubled,
          many.twice,
          many.changedTransfers,
        ].map(String),
      ],
    ),
  )
  return isRight && many.lost + many.doubled + many.twice + many.changedTransfers === 0
}

async function reportOne(payments: number): Promise<boolean> {
  const one = await moveUnderLoad(payments, say)
  const { pauses, usualPauses } = one
  say(
    terminalTable(
      ['a move under load', 'seen'],
      [
        ['payments of the merchant that went', figure(one.payments)],
        ['transfers, rows copied', `${figure(one.transfers)}, ${figure(one.rows)}`],
        ['transfers not the same in both journals', String(one.changedTransfers)],
        ['payments acknowledged, of all three merchants', figure(one.acknowledged)],
        ['lost', String(one.lost)],
        ['doubled', String(one.doubled)],
        ['callbacks that came more than once', String(one.repeatedCallbacks)],
        ['the command, s', figure(one.command)],
        ['of it: copying while the merchant is served, s', figure(one.copy)],
        ['the merchant in neither cell, s', figure(one.ended)],
        ['pause of the merchant that went, s', figure(pauses.goes)],
        ['longest pause of the one that stayed, s', figure(pauses.stays)],
        ['longest pause of the other cell’s merchant, s', figure(pauses.host)],
        [
          'the same three in the 15 s before, s',
          [usualPauses.goes, usualPauses.stays, usualPauses.host].map(figure).join(', '),
        ],
      ],
    ),
  )
  return one.lost + one.doubled + one.changedTransfers === 0
}
