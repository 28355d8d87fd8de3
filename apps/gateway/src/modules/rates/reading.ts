import { documentThreads, ThreadEnded } from '../../platform/threads/index.ts'
import type { Reading, SheetDraft } from './draft.ts'
import type { RateList } from './model.ts'
import type { RateOrder, RatePiece } from './rates-thread.ts'

/** The European Central Bank's whole history has seven million bytes. */
const FILE_BYTES_MAX = 32 * 1024 * 1024
const THREAD = new URL('rates-thread.ts', import.meta.url)
const MIB = 1_048_576

/**
 * Reads a file with sheets in a thread, with limits on time and memory. Throws Overloaded when too many documents are being
 * read.
 */
export async function readInThread(
  list: RateList,
  { format, bytes }: Pick<RateOrder, 'format' | 'bytes'>,
): Promise<Reading<readonly SheetDraft[]>> {
  if (bytes.length > FILE_BYTES_MAX)
    return { ok: false, faults: [`The file has ${bytes.length} bytes; at most ${FILE_BYTES_MAX} are read.`] }
  const own = new Uint8Array(bytes)
  const order = { list, format, bytes: own } satisfies RateOrder
  const isHeavy = own.length > MIB
  try {
    return gather(
      await documentThreads.run<RatePiece>({ module: THREAD, order, handedOver: [own.buffer], isHeavy }),
    )
  } catch (error) {
    if (error instanceof ThreadEnded && error.kind !== 'BROKEN')
      return { ok: false, faults: [`Reading the file was stopped: ${error.message}.`] }
    throw error
  }
}

function gather(pieces: readonly RatePiece[]): Reading<readonly SheetDraft[]> {
  const sheets: SheetDraft[] = []
  for (const piece of pieces) {
    if (piece.kind === 'FAULTS') return { ok: false, faults: piece.faults }
    sheets.push(...piece.sheets)
  }
  return { ok: true, value: sheets }
}
