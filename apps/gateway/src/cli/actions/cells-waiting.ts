import type { AttentionSchema, Printed } from '@tollgate/contract'
import { ATTENTION_KINDS } from '@tollgate/contract/words'
import { askOwn, type Question } from '../cells/ask.ts'
import { requireCells } from '../cells/file.ts'
import { EXIT_CODES } from '../failure.ts'
import type { Report, Shell } from '../shell.ts'
import { momentOf, money, table } from '../text.ts'

const ATTENTION: Question<Printed<typeof AttentionSchema>> = {
  permission: 'self.read',
  path: '/operator/attention',
}

/** A gateway counts no further. */
const COUNTED_MAX = 1_000

/** `tollgate cells waiting` */
export async function cellsWaiting(shell: Shell): Promise<Report> {
  const cells = requireCells(await shell.config())
  const heard = await Promise.all(
    cells.map(async (cell) => ({ ...cell, said: await askOwn(shell, cell, ATTENTION) })),
  )
  const away = heard.flatMap(({ cell, said }) => ('away' in said ? [{ cell, reason: said.away }] : []))
  const rows = heard
    .flatMap(({ cell, operatorUrl, said }) =>
      'away' in said ? [] : said.answer.data.map((waiting) => ({ cell, operatorUrl, ...waiting })),
    )
    .toSorted((one, other) => rankOf(one.kind) - rankOf(other.kind))
  return {
    json: { data: rows, away },
    text: table(
      ['CELL', 'WHAT', 'COUNT', 'SINCE', 'MONEY', 'ABOUT', 'OPERATOR API'],
      rows.map((row) => [
        row.cell,
        row.kind,
        `${row.count}${row.count >= COUNTED_MAX ? '+' : ''}`,
        momentOf(row.oldestAt) ?? '-',
        row.sums.map(money).join(', '),
        aboutText(row),
        row.operatorUrl,
      ]),
      'Nothing waits.',
    ),
    notes: [
      ...away.map(({ cell, reason }) => `Cell ${cell} is away, and what waits there is missing: ${reason}`),
      rows.length === 0
        ? 'Only what your roles let you see is listed.'
        : 'Decide in the cell itself, in its console or by --url and --operator-key-file. Only what your roles let you see is listed.',
    ],
    exitCode: away.length > 0 ? EXIT_CODES.FAULT : EXIT_CODES.OK,
  }
}

/** The most urgent first; what a later version knows of comes last. */
function rankOf(kind: string): number {
  const order: readonly string[] = ATTENTION_KINDS
  const rank = order.indexOf(kind)
  return rank === -1 ? order.length : rank
}

function aboutText({
  about,
  aboutCount,
}: {
  readonly about: readonly string[]
  readonly aboutCount: number
}): string {
  const more = aboutCount - about.length
  return `${about.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
