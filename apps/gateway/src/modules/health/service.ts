import type { Database, Tx } from '../../platform/database.ts'
import { Problem } from '../../platform/problem.ts'
import { type Institution, textOfInstitution, WINDOW_SECONDS } from './model.ts'
import {
  type HandSetting,
  type InstitutionHealth,
  listHealth,
  updateByHandCleared,
  upsertByHand,
} from './store.ts'

export type { InstitutionHealth } from './store.ts'

/** What people see and say of institutions. */
export interface HealthService {
  /** Those that were ever anything but well, or of which somebody said something. */
  list(): Promise<readonly InstitutionHealth[]>
  /** Says what an institution is, whatever the workers see. Throws HealthProblem for one that is not in the catalogue. */
  set(institution: Institution, setting: HandSetting): Promise<InstitutionHealth>
  /** Lets the workers see for themselves again. Throws HealthProblem when nobody had said anything. */
  clear(institution: Institution): Promise<void>
}

export function createHealthService({
  db,
  isKnown,
}: {
  readonly db: Database
  /** Whether the catalogue, which stands above, knows the institution. */
  readonly isKnown: (tx: Tx, institution: Institution) => Promise<boolean>
}): HealthService {
  return {
    list: () => listHealth(db, WINDOW_SECONDS),
    async set(institution, setting) {
      if (!(await isKnown(db, institution)))
        throw new HealthProblem(`There is no ${nameOf(institution)} in the catalogue.`, 'NOT_FOUND')
      await upsertByHand(db, institution, setting)
      const key = textOfInstitution(institution)
      const found = (await listHealth(db, WINDOW_SECONDS)).find(
        (each) => textOfInstitution(each.institution) === key,
      )
      if (found === undefined) throw new Error('what was said of an institution is not there')
      return found
    },
    async clear(institution) {
      if (await updateByHandCleared(db, institution)) return
      throw new HealthProblem(
        `Nobody has said anything about ${institution.direction}s through the ${nameOf(institution)}.`,
        'NOT_FOUND',
      )
    },
  }
}

const nameOf = ({ type, code }: Institution): string =>
  `${type === 'OPERATOR' ? 'payment operator' : 'rail'} ${code}`

/** Something that cannot be said of an institution. */
class HealthProblem extends Problem {
  override readonly name = 'HealthProblem'
}
