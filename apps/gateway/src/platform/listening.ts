import pg from 'pg'

const CONNECT_TIMEOUT_MS = 1_000
const RETRY_MS = 500

export interface ListenTask {
  readonly url: string
  readonly applicationName: string
  readonly channel: string
  readonly onNotice: (payload: string) => void
  /** The connections that listen now: who closes the database ends them. */
  readonly listeners: Set<pg.Client>
  readonly isClosed: () => boolean
}

/** Listens on a connection of its own, and on another one when that is lost, until the database is closed. Never rejects. */
export async function keepListening(task: ListenTask): Promise<void> {
  if (task.isClosed()) return
  const client = new pg.Client({
    connectionString: task.url,
    application_name: `${task.applicationName} listen`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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
  } catch {
    await client.end().catch(() => undefined)
    retry()
  }
}
