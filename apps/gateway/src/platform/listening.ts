import pg from 'pg'

const CONNECT_TIMEOUT_MS = 1_000
const ANSWER_TIMEOUT_MS = 2_000
const RETRY_MS = 500
const HEARTBEAT_MS = 5_000

interface ListenTask {
  readonly url: string
  readonly applicationName: string
  readonly channel: string
  readonly onNotice: (payload: string) => void
  /** The connections that listen now: who closes the database ends them. */
  readonly listeners: Set<pg.Client>
  readonly isClosed: () => boolean
  /** How often the server is asked whether it is still there. Default: every 5 seconds. */
  readonly heartbeatMs?: number
}

/** Listens on a connection of its own, and on another one when that is lost, until the database is closed. Never rejects. */
export async function keepListening(task: ListenTask): Promise<void> {
  if (task.isClosed()) return
  const client = new pg.Client({
    connectionString: task.url,
    application_name: `${task.applicationName} listen`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  })
  let ended = false
  const retry = (): void => {
    if (ended) return
    ended = true
    task.listeners.delete(client)
    if (task.isClosed()) return
    setTimeout(() => void keepListening(task), RETRY_MS).unref()
  }
  client.on('notification', (message) => task.onNotice(message.payload ?? ''))
  client.on('error', retry)
  client.on('end', retry)
  task.listeners.add(client)
  try {
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(task.channel)}`)
    watch(client, task.heartbeatMs ?? HEARTBEAT_MS)
  } catch {
    await client.end().catch(() => undefined)
    retry()
  }
}

/** A machine that vanished, as in a failover, says nothing any more, and who only listens would never notice. */
function watch(client: pg.Client, heartbeatMs: number): void {
  const ask = (): void => {
    client.query('select 1').then(
      () => watch(client, heartbeatMs),
      () => client.end(),
    )
  }
  setTimeout(ask, heartbeatMs).unref()
}
