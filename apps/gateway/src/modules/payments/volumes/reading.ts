import type { Database } from '../../../platform/database.ts'
import { findCountedUntil, listVolumes, type Volume, type VolumeSearch } from './store.ts'

export type { Entered, Step, Volume } from './store.ts'

/** What was counted, for operators. */
export interface VolumeReader {
  /** Up to when everything is counted. */
  countedUntil(): Promise<Date>
  /** The earliest first. */
  list(search: VolumeSearch): Promise<readonly Volume[]>
}

export const createVolumeReader = (db: Database): VolumeReader => ({
  countedUntil: () => findCountedUntil(db),
  list: (search) => listVolumes(db, search),
})
