import type { DecidedRow, Facts, Finding } from './facts.ts'

const DECIDERS_NEEDED = 2

/** I21: a payment that ends by what people say ends by the words of two, each given before, and names just these. */
export function checkReviews({ decided }: Facts): readonly Finding[] {
  return decided.flatMap((row) => {
    const { merchantCode, kind, id } = row
    return faultsOf(row).map((says) => ({ invariant: 'I21', says, name: { merchantCode, kind, id } }))
  })
}

function faultsOf({ status, evidence, operators, words }: DecidedRow): readonly string[] {
  if (evidence !== 'PEOPLE') return [`it became ${status} by ${evidence}, and only people could know`]
  const names = new Set(operators)
  const faults = names.size < DECIDERS_NEEDED ? [`it became ${status} by the word of ${names.size}`] : []
  const silent = [...names].filter((name) => !words.includes(name))
  return silent.length === 0 ? faults : [...faults, `it names ${silent.join(', ')}, who said nothing`]
}
