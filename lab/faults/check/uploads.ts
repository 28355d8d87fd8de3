import type { Facts, Finding } from './facts.ts'
import { groupBy } from './groups.ts'

/**
 * I19: a statement that a person handed in was taken once, under the names of two, of whom the second one confirmed just these
 * bytes; and no payment got its money from two of them.
 */
export function checkUploads({ uploads, payments }: Facts): readonly Finding[] {
  const find = (says: string): Finding => ({ invariant: 'I19', says })
  const twice = [...groupBy(uploads, ({ digest }) => digest).values()].filter(({ length }) => length > 1)
  const alone = uploads.filter(
    ({ takenBy, confirmedBy }) => confirmedBy === undefined || confirmedBy === takenBy,
  )
  const unproven = uploads.filter(
    ({ confirmedBy, provenBy }) => confirmedBy !== undefined && provenBy !== confirmedBy,
  )
  const paid = payments.filter(({ id, status }) => id.startsWith('wired-') && status === 'SUCCESS')
  const paying = groupBy(
    uploads.flatMap(({ paid: names }) => names),
    (name) => name,
  )
  return [
    ...twice.map(([first]) => find(`the file ${first?.digest ?? ''} was taken more than once`)),
    ...alone.map(({ fileId, takenBy }) =>
      find(`file ${fileId} of ${takenBy} was taken without a second person`),
    ),
    ...unproven.map(({ fileId }) => find(`file ${fileId} names a second person who confirmed nothing`)),
    ...paid.flatMap(({ merchantCode, kind, id }) => {
      const lines = paying.get(`${merchantCode} ${kind} ${id}`)?.length ?? 0
      const name = { merchantCode, kind, id }
      return lines === 1
        ? []
        : [{ invariant: 'I19', says: `${lines} statement lines say that it was paid`, name }]
    }),
  ]
}
