import { createRetentionService, type RetentionStatus } from '../../modules/retention/index.ts'
import { retentionDays } from '../../rooms/parts.ts'
import { inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'

/** `tollgate retention show`. */
export function show(shell: Shell): Promise<Report> {
  return inHouse(shell, async ({ db, config }) => {
    const classes = await createRetentionService({
      ...{ db, days: retentionDays(config) },
      documentDays: config.TOLLGATE_RETENTION_DOCUMENTS_DAYS,
    }).list()
    return { json: classes.map(present), text: retentionTable(classes) }
  })
}

const present = ({ oldestAt, removedUntil, ...status }: RetentionStatus) => ({
  ...status,
  oldestAt: oldestAt ?? null,
  removedUntil: removedUntil ?? null,
})

const momentOr = (at: Date | undefined, otherwise: string): string =>
  at === undefined ? otherwise : moment(at)

function retentionTable(classes: readonly RetentionStatus[]): string {
  return table(
    ['CLASS', 'KEPT', 'OVER', 'OLDEST', 'REMOVED UNTIL'],
    classes.map(({ class: name, days, over, oldestAt, removedUntil }) => [
      name,
      days === 0 ? 'for ever' : `${days} days`,
      String(over),
      momentOr(oldestAt, ''),
      momentOr(removedUntil, 'never'),
    ]),
    'Everything is kept for ever.',
  )
}
