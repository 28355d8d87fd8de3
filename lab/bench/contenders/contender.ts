import type { Round } from '../measure/round.ts'

/** Something that is measured once in every round. */
export interface Contender {
  /** Its name in docs/performance.json. */
  readonly name: string
  /** What it is called in tables. */
  readonly title: string
  measure(): Promise<Round>
}

/** A contender and its rounds, in order; or why it has none. */
export interface Measured {
  readonly name: string
  readonly title: string
  readonly rounds: readonly Round[]
  readonly missing?: string
}

/** Round by round, everyone once: what disturbs the machine for a while disturbs all of them. */
export async function measureInTurns(
  contenders: readonly Contender[],
  rounds: number,
  onRound: (contender: Contender, round: Round, number: number) => void,
): Promise<readonly Measured[]> {
  const found: Round[][] = contenders.map(() => [])
  for (let number = 1; number <= rounds; number += 1) {
    for (const [index, contender] of contenders.entries()) {
      const round = await contender.measure()
      found[index]?.push(round)
      onRound(contender, round, number)
    }
  }
  return contenders.map(({ name, title }, index) => ({ name, title, rounds: found[index] ?? [] }))
}
