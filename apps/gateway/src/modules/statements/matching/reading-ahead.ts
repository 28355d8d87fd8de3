import { setImmediate as turn } from 'node:timers/promises'
import type { Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { listNewLinesAfter, type SealedLine } from '../lines/line-store.ts'
import { type OpenLine, openLine } from './candidates.ts'

/**
 * Opens the lines of the next batch while the database works at this one: decrypting them and looking for references takes
 * a third of the time. They are read without a lock, so the batch claims its lines as always, and what was opened before
 * counts only for a line that is still the same.
 */
export interface ReadingAhead {
  /** Begins with up to `limit` lines after this one, of which nobody has looked at any. Never throws. */
  begin(lineId: string, limit: number): void
  /** Once what was begun has ended. */
  open(lines: readonly SealedLine[]): Promise<readonly OpenLine[]>
}

/** Opened without a pause; other work of the process has its turn in between. */
const AT_ONCE = 25

export function readingAhead(deps: { readonly db: Tx; readonly secrets: Secrets }): ReadingAhead {
  let opened = new Map<string, OpenLine>()
  let reading: Promise<void> = Promise.resolve()

  async function read(lineId: string, limit: number): Promise<void> {
    const found = new Map<string, OpenLine>()
    const lines = await listNewLinesAfter(deps.db, lineId, limit)
    for (const [index, line] of lines.entries()) {
      if (index % AT_ONCE === 0) await turn()
      found.set(line.lineId, openLine(deps.secrets, line))
    }
    opened = found
  }

  return {
    begin(lineId, limit) {
      opened = new Map()
      // Whatever is wrong with a line or the database, the batch itself will find and say.
      reading = read(lineId, limit).catch(() => undefined)
    },
    async open(lines) {
      await reading
      return lines.map((line) => {
        const known = opened.get(line.lineId)
        return known !== undefined && saysTheSame(known.line, line)
          ? { ...known, line }
          : openLine(deps.secrets, line)
      })
    },
  }
}

/** What an opened line depends on. Erasing a person empties what is sealed. */
const saysTheSame = (before: SealedLine, now: SealedLine): boolean =>
  before.sealed.equals(now.sealed) &&
  before.dataKey.equals(now.dataKey) &&
  before.bankReference === now.bankReference
