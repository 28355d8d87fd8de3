import type { Statement, Tx } from '../../platform/database.ts'
import type { ChannelFaultKind } from './errors.ts'
import type { ChannelFile, ChannelHolds, ChannelState } from './model.ts'

const ENSURE: Statement = {
  name: 'bank_channels_ensure',
  text: `insert into bank_channels (channel_code) select unnest($1::text[]) on conflict do nothing`,
}
const CLAIM: Statement = {
  name: 'bank_channels_claim',
  text: `update bank_channels set lease_no = lease_no + 1, leased_until = statement_timestamp() + make_interval(secs => $3), looked_at = statement_timestamp(),
      next_look_at = statement_timestamp()
    where channel_code = $1 and (leased_until is null or leased_until < statement_timestamp())
      -- What was refused with other settings is tried at once with these.
      and case when halted_settings is null then next_look_at <= statement_timestamp() else halted_settings <> $2 end
    returning lease_no as "leaseNo", failures`,
}
const SUCCEEDED: Statement = {
  name: 'bank_channels_succeeded',
  text: `update bank_channels set leased_until = null, succeeded_at = statement_timestamp(), failures = 0, fault_kind = null, fault = null,
      faulted_at = null, halted_settings = null,
      -- Somebody may have asked for a look meanwhile.
      next_look_at = case when next_look_at > looked_at then next_look_at else statement_timestamp() + make_interval(secs => $3) end
    where channel_code = $1 and lease_no = $2`,
}
const FAILED: Statement = {
  name: 'bank_channels_failed',
  text: `update bank_channels set leased_until = null, failures = failures + 1, fault_kind = $4, fault = $5,
      faulted_at = coalesce(case when fault_kind = $4 then faulted_at end, statement_timestamp()), halted_settings = $6,
      next_look_at = statement_timestamp() + make_interval(secs => $3)
    where channel_code = $1 and lease_no = $2`,
}
const RELEASE: Statement = {
  name: 'bank_channels_release',
  text: `update bank_channels set leased_until = null where channel_code = $1 and lease_no = $2`,
}
const ASK_LOOK: Statement = {
  name: 'bank_channels_ask_look',
  text: `update bank_channels set next_look_at = statement_timestamp(), halted_settings = case when $2 then null else halted_settings end
    where channel_code = $1 returning 1`,
}
const LIST: Statement = {
  name: 'bank_channels_list',
  text: `select channel_code as code, looked_at as "lookedAt", succeeded_at as "succeededAt", failures, fault_kind as "faultKind", fault,
      faulted_at as "faultedAt", halted_settings as "haltedSettings",
      (select count(*)::int from bank_channel_files f where f.channel_code = c.channel_code and f.outcome is null) as "waitingCount"
    from bank_channels c order by channel_code`,
}
const KNOWN: Statement = {
  name: 'bank_channel_files_known',
  text: `select from bank_channel_files where channel_code = $1 and holds = $2 and content_hash = $3`,
}
const INSERT_FILE: Statement = {
  name: 'bank_channel_files_insert',
  text: `insert into bank_channel_files (channel_code, holds, directory, file_name, content_hash, byte_count, data_key, sealed)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1`,
}
const FILE_COLUMNS = `file_no as "fileNo", channel_code as "channelCode", holds, directory, file_name as "fileName", encode(content_hash, 'hex') as sha256,
      byte_count as "byteCount", fetched_at as "fetchedAt", outcome`
const LIST_WAITING: Statement = {
  name: 'bank_channel_files_list_waiting',
  text: `select ${FILE_COLUMNS} from bank_channel_files where outcome is null and file_no > $1 order by file_no limit $2`,
}
const FIND_SEALED: Statement = {
  name: 'bank_channel_files_find_sealed',
  text: `select data_key as "dataKey", sealed from bank_channel_files where file_no = $1 and outcome is null`,
}
const END_FILE: Statement = {
  name: 'bank_channel_files_end',
  text: `update bank_channel_files set outcome = $2, ended_at = statement_timestamp(), data_key = '', sealed = '' where file_no = $1 and outcome is null`,
}
const LIST_FILES: Statement = {
  name: 'bank_channel_files_list',
  text: `select ${FILE_COLUMNS} from bank_channel_files where channel_code = $1 and ($2::bigint is null or file_no < $2) order by file_no desc limit $3`,
}

/** Makes the rows of channels that are new. */
export async function ensureChannels(tx: Tx, codes: readonly string[]): Promise<void> {
  if (codes.length > 0) await tx.rows(ENSURE, [[...codes]])
}

/** What one process may do at a channel until its lease ends. */
export interface ChannelLease {
  readonly leaseNo: string
  /** In a row, until now. */
  readonly failures: number
}

/** Leases a channel when a look is due; undefined when another process has it, or when nothing is to be tried. */
export async function claimChannel(
  tx: Tx,
  code: string,
  { settingsDigest, seconds }: { readonly settingsDigest: string; readonly seconds: number },
): Promise<ChannelLease | undefined> {
  return (await tx.rows<ChannelLease>(CLAIM, [code, settingsDigest, seconds]))[0]
}

/** Notes that a look came to its end, and when the next one is due. */
export async function noteSuccess(tx: Tx, code: string, leaseNo: string, nextSeconds: number): Promise<void> {
  await tx.rows(SUCCEEDED, [code, leaseNo, nextSeconds])
}

/** The process ends in the middle of a look: another one may begin it anew. */
export async function releaseChannel(tx: Tx, code: string, leaseNo: string): Promise<void> {
  await tx.rows(RELEASE, [code, leaseNo])
}

interface NotedFault {
  readonly kind: ChannelFaultKind
  readonly message: string
  readonly nextSeconds: number
  /** With these settings nothing more is tried. */
  readonly haltedSettings: string | undefined
}

const FAULT_CHARACTERS_MAX = 1_000

/** Notes what went wrong, and when it is tried again. */
export async function noteFault(tx: Tx, code: string, leaseNo: string, fault: NotedFault): Promise<void> {
  const message = fault.message.replaceAll('\0', '�').slice(0, FAULT_CHARACTERS_MAX)
  await tx.rows(FAILED, [code, leaseNo, fault.nextSeconds, fault.kind, message, fault.haltedSettings ?? null])
}

/** Has the next look come at once; with `isResumed` also where nothing was tried any more. False when there is no such channel. */
export async function askForLook(
  tx: Tx,
  code: string,
  { isResumed }: { readonly isResumed: boolean },
): Promise<boolean> {
  return (await tx.rows(ASK_LOOK, [code, isResumed])).length > 0
}

interface ChannelRow extends Pick<ChannelState, 'code' | 'failures' | 'waitingCount'> {
  readonly lookedAt: Date | null
  readonly succeededAt: Date | null
  readonly faultKind: ChannelFaultKind | null
  readonly fault: string | null
  readonly faultedAt: Date | null
  readonly haltedSettings: string | null
}

/** What became of the latest looks, by channel; halted with which settings. */
export async function listChannelStates(
  tx: Tx,
): Promise<readonly (Omit<ChannelState, 'isHalted'> & { readonly haltedSettings: string | undefined })[]> {
  const rows = await tx.rows<ChannelRow>(LIST, [])
  return rows.map(({ lookedAt, succeededAt, faultKind, fault, faultedAt, haltedSettings, ...rest }) => ({
    ...rest,
    lookedAt: lookedAt ?? undefined,
    succeededAt: succeededAt ?? undefined,
    fault:
      faultKind === null || fault === null || faultedAt === null
        ? undefined
        : { kind: faultKind, message: fault, since: faultedAt },
    haltedSettings: haltedSettings ?? undefined,
  }))
}

export const isKnownFile = async (
  tx: Tx,
  code: string,
  holds: ChannelHolds,
  contentHash: Buffer,
): Promise<boolean> => (await tx.rows(KNOWN, [code, holds, contentHash])).length > 0

interface NewFile
  extends Pick<ChannelFile, 'channelCode' | 'holds' | 'directory' | 'fileName' | 'byteCount'> {
  readonly contentHash: Buffer
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

/** Keeps a file that was fetched; nothing when its bytes came before. */
export async function insertFile(tx: Tx, file: NewFile): Promise<void> {
  const { channelCode, holds, directory, fileName, contentHash, byteCount, dataKey, sealed } = file
  const given = [channelCode, holds, directory ?? null, fileName, contentHash, byteCount, dataKey, sealed]
  await tx.rows(INSERT_FILE, given)
}

type FileRow = Omit<ChannelFile, 'outcome' | 'directory'> & {
  readonly outcome: 'TAKEN' | 'ASIDE' | null
  readonly directory: string | null
}

const toFile = ({ outcome, directory, ...row }: FileRow): ChannelFile => ({
  ...row,
  outcome: outcome ?? undefined,
  directory: directory ?? undefined,
})

/** Files that were not handed on yet, from after a number on, in the order in which they came. */
export async function listWaitingFiles(
  tx: Tx,
  afterNo: string,
  limit: number,
): Promise<readonly ChannelFile[]> {
  return (await tx.rows<FileRow>(LIST_WAITING, [afterNo, limit])).map(toFile)
}

/** The bytes of such a file, sealed; undefined when it has been handed on meanwhile. */
export async function findSealed(
  tx: Tx,
  fileNo: string,
): Promise<{ readonly dataKey: Buffer; readonly sealed: Buffer } | undefined> {
  return (await tx.rows<{ dataKey: Buffer; sealed: Buffer }>(FIND_SEALED, [fileNo]))[0]
}

/** Another room has the bytes now. */
export async function endFile(tx: Tx, fileNo: string, outcome: 'TAKEN' | 'ASIDE'): Promise<void> {
  await tx.rows(END_FILE, [fileNo, outcome])
}

export interface ChannelFilePage {
  readonly code: string
  readonly before: string | undefined
  readonly limit: number
}

/** Files of a channel, the newest first, from before a place. */
export async function listFiles(
  tx: Tx,
  { code, before, limit }: ChannelFilePage,
): Promise<readonly ChannelFile[]> {
  return (await tx.rows<FileRow>(LIST_FILES, [code, before ?? null, limit])).map(toFile)
}
