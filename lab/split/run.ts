import { figure, terminalTable } from '../rig/table.ts'
import { splitUnderLoad } from './under-load.ts'
import { splitsWithKills } from './with-kills.ts'

interface SplitWish {
  /** Of the merchant that goes, before it goes. */
  readonly payments: number
  readonly splits: number
  readonly seed: number
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** `npm run lab -- split`: a merchant under load, then one after the other while commands and processes are killed. True when nothing was lost or done twice. */
export async function runSplit({ payments, splits, seed }: SplitWish): Promise<boolean> {
  say('A merchant goes to a new cell under load')
  const one = await splitUnderLoad(payments, say)
  say(
    terminalTable(
      ['a split under load', 'seen'],
      [
        ['payments of the merchant that went', figure(one.payments)],
        ['payments acknowledged, of both merchants', figure(one.acknowledged)],
        ['lost', String(one.lost)],
        ['doubled', String(one.doubled)],
        ['callbacks that came more than once', String(one.repeatedCallbacks)],
        ['pause of the merchant that went, s', figure(one.pause)],
        ['of it: release, s', figure(one.release)],
        ['promotion, s', figure(one.promotion)],
        ['open, s', figure(one.open)],
        ['start, s', figure(one.start)],
        ['longest pause of the other merchant, s', figure(one.pauseOfOther)],
        ['the same in the 15 s before', figure(one.usualPauseOfOther)],
      ],
    ),
  )
  say(`\n${splits} splits while something is killed (seed ${seed})`)
  const many = await splitsWithKills(splits, seed, say)
  say(
    terminalTable(
      ['splits', 'kills', 'acknowledged', 'lost', 'changed in both cells'],
      [[many.splits, many.kills, many.acknowledged, many.lost, many.twice].map(String)],
    ),
  )
  return one.lost + one.doubled + many.lost + many.twice === 0
}
