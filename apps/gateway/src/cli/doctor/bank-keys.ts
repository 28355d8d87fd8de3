import type { WallClock } from '@tollgate/runtime'
import { type Config, ConfigError } from '../../config.ts'
import { examinePgpKeys, type PgpKeysSeen } from '../../modules/bank-channels/index.ts'
import { type ConfiguredChannel, readBankChannels } from '../../rooms/bank-channel-settings.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const NAME = 'bank keys'
const HELP = 'docs/guides/bank-channels.md, "Files in PGP", has their form.'
const DAY_MS = 86_400_000
/** A bank needs some weeks for a new key. */
const WARN_DAYS = 30

/** Whether the keys of channels in PGP can be used, and for how long. A file of settings that is wrong was told of before. */
export async function examineBankKeys(
  config: Pick<Config, 'TOLLGATE_BANK_CHANNELS_FILE'>,
  clock: WallClock,
): Promise<readonly Finding[]> {
  return Promise.all(
    channelsOf(config).flatMap(({ code, pgp }) =>
      pgp === undefined
        ? []
        : [examinePgpKeys(pgp).then((seen) => judge(code, seen, clock), notUsable(code))],
    ),
  )
}

function channelsOf(config: Pick<Config, 'TOLLGATE_BANK_CHANNELS_FILE'>): readonly ConfiguredChannel[] {
  try {
    return readBankChannels(config)
  } catch (error) {
    if (error instanceof ConfigError) return []
    throw error
  }
}

const notUsable =
  (code: string) =>
  (error: unknown): Finding =>
    fail(NAME, `${code}: ${error instanceof Error ? error.message : String(error)}`, HELP)

function judge(code: string, { bankFingerprint, endsAt }: PgpKeysSeen, clock: WallClock): Finding {
  const says = `${code}: the bank's key is ${bankFingerprint}`
  if (endsAt === undefined) return ok(NAME, `${says}, and neither key ends.`)
  const until = `${says}, and the first key ends on ${endsAt.toISOString().slice(0, 'YYYY-MM-DD'.length)}.`
  const leftMs = endsAt.getTime() - clock.nowMs()
  if (leftMs <= 0)
    return fail(NAME, until, 'Exchange new keys with the bank: nothing is taken or put until then.')
  return leftMs < WARN_DAYS * DAY_MS
    ? warn(NAME, until, 'Exchange new keys with the bank before that.')
    : ok(NAME, until)
}
