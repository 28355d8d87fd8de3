import type { Database } from '../../platform/database.ts'
import { CLOCK_CHANNEL } from './store.ts'

/** Calls back after every advance, whichever process it was asked of: for workers that sleep for longer than anyone wants to wait. */
export const onClockAdvance = (db: Pick<Database, 'listen'>, wake: () => void): Promise<void> =>
  db.listen(CLOCK_CHANNEL, wake)
