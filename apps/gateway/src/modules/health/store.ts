import type { Statement, Tx } from '../../platform/database.ts'
import type { Availability, Institution, Results } from './model.ts'

const KEY = `institution_type = $1 and institution_code = $2 and direction = $3`
const ADD_RESULTS: Statement = {
  name: 'institution_results_add',
  text: `insert into institution_results as r (institution_type, institution_code, direction, slot_at, answered, unanswered)
    select type, code, direction, date_bin('10 seconds', statement_timestamp(), timestamptz 'epoch'), answered, unanswered
    from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::integer[]) as n(type, code, direction, answered, unanswered)
    order by type, code, direction
    on conflict (institution_type, institution_code, direction, slot_at) do update
      set answered = r.answered + excluded.answered, unanswered = r.unanswered + excluded.unanswered`,
}
const DELETE_OLD_RESULTS: Statement = {
  name: 'institution_results_delete_old',
  text: `delete from institution_results where slot_at < statement_timestamp() - make_interval(secs => $1)`,
}
const LIST_OBSERVATIONS: Statement = {
  name: 'institution_health_list_observations',
  text: `select institution_type, institution_code, direction, coalesce(h.observed, 'OPERATIONAL') as observed,
      coalesce(extract(epoch from statement_timestamp() - h.observed_since), 0)::float8 as since_seconds,
      coalesce(sum(r.answered) filter (where r.slot_at >= coalesce(h.observed_since, 'epoch')), 0)::float8 as answered,
      coalesce(sum(r.unanswered) filter (where r.slot_at >= coalesce(h.observed_since, 'epoch')), 0)::float8 as unanswered
    from (select * from institution_results where slot_at > statement_timestamp() - make_interval(secs => $1)) r
      full join institution_health h using (institution_type, institution_code, direction)
    group by institution_type, institution_code, direction, h.observed, h.observed_since`,
}
const UPDATE_OBSERVED: Statement = {
  name: 'institution_health_update_observed',
  text: `insert into institution_health as h (institution_type, institution_code, direction, observed) values ($1, $2, $3, $5)
    on conflict (institution_type, institution_code, direction) do update
      set observed = excluded.observed, observed_since = clock_timestamp() where h.observed = $4
    returning 1`,
}
const CLEAR_ENDED: Statement = {
  name: 'institution_health_clear_ended',
  text: `update institution_health set by_hand = null, by_hand_until = null, by_hand_since = null, by_hand_reason = null, by_hand_operator = null
    where by_hand_until <= statement_timestamp()`,
}
const SET_BY_HAND: Statement = {
  name: 'institution_health_set_by_hand',
  text: `insert into institution_health (institution_type, institution_code, direction, by_hand, by_hand_until, by_hand_since, by_hand_reason, by_hand_operator)
    values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5), clock_timestamp(), $6, $7)
    on conflict (institution_type, institution_code, direction) do update
      set by_hand = excluded.by_hand, by_hand_until = excluded.by_hand_until, by_hand_since = excluded.by_hand_since,
        by_hand_reason = excluded.by_hand_reason, by_hand_operator = excluded.by_hand_operator`,
}
const CLEAR_BY_HAND: Statement = {
  name: 'institution_health_clear_by_hand',
  text: `update institution_health set by_hand = null, by_hand_until = null, by_hand_since = null, by_hand_reason = null, by_hand_operator = null
    where ${KEY} and by_hand is not null returning 1`,
}
const LIST: Statement = {
  name: 'institution_health_list',
  text: `select institution_type, institution_code, direction, observed, observed_since, by_hand, by_hand_until, by_hand_since, by_hand_reason, by_hand_operator,
      (select coalesce(sum(answered), 0)::float8 from institution_results r where r.institution_type = h.institution_type
        and r.institution_code = h.institution_code and r.direction = h.direction and r.slot_at > statement_timestamp() - make_interval(secs => $1)) as answered,
      (select coalesce(sum(unanswered), 0)::float8 from institution_results r where r.institution_type = h.institution_type
        and r.institution_code = h.institution_code and r.direction = h.direction and r.slot_at > statement_timestamp() - make_interval(secs => $1)) as unanswered
    from institution_health h order by institution_type, institution_code, direction`,
}

interface KeyRow {
  readonly institution_type: Institution['type']
  readonly institution_code: string
  readonly direction: Institution['direction']
}

const toInstitution = (row: KeyRow): Institution => ({
  type: row.institution_type,
  code: row.institution_code,
  direction: row.direction,
})
const valuesOf = ({ type, code, direction }: Institution): readonly string[] => [type, code, direction]

/** Adds results to the slot of now. */
export async function addResults(
  tx: Tx,
  counted: readonly { readonly institution: Institution; readonly results: Results }[],
): Promise<void> {
  if (counted.length === 0) return
  await tx.rows(ADD_RESULTS, [
    counted.map(({ institution }) => institution.type),
    counted.map(({ institution }) => institution.code),
    counted.map(({ institution }) => institution.direction),
    counted.map(({ results }) => results.answered),
    counted.map(({ results }) => results.unanswered),
  ])
}

/** Forgets results that nobody looks at any more. */
export async function deleteOldResults(tx: Tx, olderThanSeconds: number): Promise<void> {
  await tx.rows(DELETE_OLD_RESULTS, [olderThanSeconds])
}

/** An institution, what it was taken for, and its results since then within the window. */
interface Observation {
  readonly institution: Institution
  readonly observed: Availability
  readonly sinceSeconds: number
  readonly results: Results
}

/** Every institution that there are results or words of. */
export async function listObservations(tx: Tx, windowSeconds: number): Promise<readonly Observation[]> {
  const rows = await tx.rows<
    KeyRow & {
      readonly observed: Availability
      readonly since_seconds: number
      readonly answered: number
      readonly unanswered: number
    }
  >(LIST_OBSERVATIONS, [windowSeconds])
  return rows.map((row) => ({
    institution: toInstitution(row),
    observed: row.observed,
    sinceSeconds: row.since_seconds,
    results: { answered: row.answered, unanswered: row.unanswered },
  }))
}

/** Notes what it is taken for from now on; false when another worker has noted something meanwhile. */
export async function updateObserved(
  tx: Tx,
  institution: Institution,
  change: { readonly from: Availability; readonly to: Availability },
): Promise<boolean> {
  const rows = await tx.rows(UPDATE_OBSERVED, [...valuesOf(institution), change.from, change.to])
  return rows.length > 0
}

/** Takes away what people said until a time that has come. */
export async function updateEnded(tx: Tx): Promise<void> {
  await tx.rows(CLEAR_ENDED, [])
}

/** What a person says of an institution. */
export interface HandSetting {
  readonly availability: Availability
  /** From now on; undefined for good. */
  readonly forSeconds: number | undefined
  readonly reason: string
  readonly operatorCode: string
}

export async function upsertByHand(tx: Tx, institution: Institution, setting: HandSetting): Promise<void> {
  await tx.rows(SET_BY_HAND, [
    ...valuesOf(institution),
    setting.availability,
    setting.forSeconds ?? null,
    setting.reason,
    setting.operatorCode,
  ])
}

/** False when nobody had said anything. */
export async function updateByHandCleared(tx: Tx, institution: Institution): Promise<boolean> {
  return (await tx.rows(CLEAR_BY_HAND, valuesOf(institution))).length > 0
}

/** An institution with what is seen and said of it. */
export interface InstitutionHealth {
  readonly institution: Institution
  readonly observed: Availability
  readonly observedSince: Date
  readonly results: Results
  readonly byHand:
    | {
        readonly availability: Availability
        readonly since: Date
        readonly until: Date | undefined
        readonly reason: string
        readonly operatorCode: string
      }
    | undefined
}

interface HealthRow extends KeyRow {
  readonly observed: Availability
  readonly observed_since: Date
  readonly by_hand: Availability | null
  readonly by_hand_until: Date | null
  readonly by_hand_since: Date | null
  readonly by_hand_reason: string | null
  readonly by_hand_operator: string | null
  readonly answered: number
  readonly unanswered: number
}

export async function listHealth(tx: Tx, windowSeconds: number): Promise<readonly InstitutionHealth[]> {
  const rows = await tx.rows<HealthRow>(LIST, [windowSeconds])
  return rows.map((row) => ({
    institution: toInstitution(row),
    observed: row.observed,
    observedSince: row.observed_since,
    results: { answered: row.answered, unanswered: row.unanswered },
    byHand: byHandOf(row),
  }))
}

function byHandOf(row: HealthRow): InstitutionHealth['byHand'] {
  if (row.by_hand === null || row.by_hand_since === null) return undefined
  return {
    availability: row.by_hand,
    since: row.by_hand_since,
    until: row.by_hand_until ?? undefined,
    reason: row.by_hand_reason ?? '',
    operatorCode: row.by_hand_operator ?? '',
  }
}
