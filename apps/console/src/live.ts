import { PassThrough } from 'node:stream'
import { OperatorSelfSchema } from '@tollgate/contract'
import { ApiRefusal, type OperatorApi } from './operator-api.ts'
import { type PaymentNames, permissionsFor, readHistory, versionOf } from './payment-history.ts'

// Who follows which payment. A stream says that there is something new and nothing of what it is: the browser asks for the screen
// again, which judges the request as it always does. So nothing leaks by a stream, and nothing has to be written into a page by it.

/** How much may be followed, and how closely. */
export interface LiveLimits {
  /** A browser has six connections to one address: screens have to get through beside the streams. */
  readonly streamsOfSessionMax: number
  readonly streamsOfOperatorMax: number
  readonly streamsMax: number
  readonly pollMs: number
  /** Proxies close what is silent for a minute. */
  readonly heartbeatMs: number
  readonly lifeMs: number
}

export const LIVE_LIMITS: LiveLimits = {
  streamsOfSessionMax: 4,
  streamsOfOperatorMax: 12,
  streamsMax: 200,
  pollMs: 2_000,
  heartbeatMs: 15_000,
  lifeMs: 600_000,
}

/** Somebody who follows a payment. */
interface Follower {
  /** The secret of the session. Kept for as long as the stream is open. */
  readonly session: string
  readonly operatorCode: string
  /** The merchant of a merchant's person, who is told less of a history than the house. */
  readonly ownMerchant: string | undefined
  /** The operator API by that session, unattended: following is no use of it. */
  readonly api: Pick<OperatorApi, 'get'>
  readonly payment: PaymentNames
  /** The history that the browser shows. */
  readonly seen: string
}

export interface Live {
  /** A stream of server-sent events; undefined where there are too many, or while the console stops. */
  follow(follower: Follower, version: string): PassThrough | undefined
  /** Ends every stream, and takes no more. */
  stop(): void
}

/** An open stream. */
interface Stream extends Omit<Follower, 'seen'> {
  seen: string
  readonly body: PassThrough
}

/** All who follow one payment and are told the same of it, for whom its history is read once. */
interface Followed {
  readonly streams: Set<Stream>
  timer: NodeJS.Timeout | undefined
}

const CHANGED = 'changed'
/** The session has ended, or permits no more: there is no use in coming back. */
const OVER = 'event: over\ndata: over\n\n'
const HEARTBEAT = ':\n\n'

export function createLive(limits: LiveLimits = LIVE_LIMITS): Live {
  const followed = new Map<string, Followed>()
  const open = new Set<Stream>()
  let isStopped = false

  const isFull = ({ session, operatorCode }: Follower): boolean => {
    const all = [...open]
    return (
      all.length >= limits.streamsMax ||
      all.filter((stream) => stream.session === session).length >= limits.streamsOfSessionMax ||
      all.filter((stream) => stream.operatorCode === operatorCode).length >= limits.streamsOfOperatorMax
    )
  }

  const schedule = (key: string, one: Followed): void => {
    if (isStopped || one.streams.size === 0) return
    one.timer = setTimeout(() => {
      // A round fails only by a bug; the streams then end by themselves, and the screens work on.
      void round(one).finally(() => schedule(key, one))
    }, limits.pollMs)
  }

  const leave = (key: string, one: Followed, stream: Stream): void => {
    open.delete(stream)
    one.streams.delete(stream)
    if (one.streams.size > 0) return
    clearTimeout(one.timer)
    if (followed.get(key) === one) followed.delete(key)
  }

  return {
    follow(follower, version) {
      if (isStopped || isFull(follower)) return undefined
      const key = JSON.stringify([follower.ownMerchant, follower.payment])
      const one = followed.get(key) ?? { streams: new Set(), timer: undefined }
      const isFirst = one.streams.size === 0
      const stream: Stream = { ...follower, body: new PassThrough() }
      open.add(stream)
      one.streams.add(stream)
      followed.set(key, one)
      const beat = setInterval(() => stream.body.write(HEARTBEAT), limits.heartbeatMs)
      const life = setTimeout(() => stream.body.end(), limits.lifeMs)
      stream.body.once('close', () => {
        clearInterval(beat)
        clearTimeout(life)
        leave(key, one, stream)
      })
      // The first bytes send the headers.
      stream.body.write(HEARTBEAT)
      tell(stream, version)
      if (isFirst) schedule(key, one)
      return stream.body
    },
    stop() {
      isStopped = true
      for (const { timer } of followed.values()) clearTimeout(timer)
      for (const { body } of open) body.end()
    },
  }
}

function tell(stream: Stream, version: string): void {
  if (stream.seen === version || stream.body.writableEnded) return
  stream.seen = version
  stream.body.write(`id: ${version}\nevent: ${CHANGED}\ndata: ${version}\n\n`)
}

/** Asks of every session whether it still may, and once for the payment. Who may not hears nothing of this round. */
async function round({ streams }: Followed): Promise<void> {
  const asked = new Map<string, Promise<Admission>>()
  const judged = await Promise.all(
    [...streams].map(async (stream) => {
      const known = asked.get(stream.session) ?? admissionOf(stream)
      asked.set(stream.session, known)
      return [stream, await known] as const
    }),
  )
  for (const [{ body }, admission] of judged) if (admission === 'OVER' && !body.writableEnded) body.end(OVER)
  const admitted = judged.flatMap(([stream, admission]) => (admission === 'ADMITTED' ? [stream] : []))
  const version = admitted[0] && (await newestFor(admitted[0]))
  if (version !== undefined) for (const stream of admitted) tell(stream, version)
}

/** UNKNOWN: the operator API did not say, so that nothing is told and nothing ended. */
type Admission = 'ADMITTED' | 'OVER' | 'UNKNOWN'

async function admissionOf({ api, payment }: Stream): Promise<Admission> {
  try {
    const { permissions } = await api.get('/operator/me', OperatorSelfSchema)
    return permissionsFor(payment.kind).every((each) => permissions.includes(each)) ? 'ADMITTED' : 'OVER'
  } catch (error) {
    const isRefused = error instanceof ApiRefusal && [401, 403].includes(error.status)
    return isRefused ? 'OVER' : 'UNKNOWN'
  }
}

async function newestFor({ api, payment }: Stream): Promise<string | undefined> {
  try {
    return versionOf(await readHistory(api, payment))
  } catch {
    // The next round asks again.
    return undefined
  }
}
