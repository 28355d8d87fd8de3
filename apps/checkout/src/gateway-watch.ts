import type { Log } from '@tollgate/runtime'
import { createGateway, TollgateError } from '@tollgate/sdk'
import { KEY_HEADER } from './api-client.ts'

// For the page's operators: whether the gateway is there, and knows this page. Customers are served either way.

/** KEY_UNKNOWN: the gateway answers, but has no routes for whoever shows this service key. */
type GatewayState = 'OK' | 'KEY_UNKNOWN' | 'UNREACHABLE'

interface GatewayWatchOptions {
  readonly apiUrl: string
  readonly serviceKey: string | undefined
  readonly log: Log
  readonly pauseMs?: number
}

interface GatewayWatch {
  /** Undefined until the first answer. */
  readonly state: GatewayState | undefined
  stop(): void
}

const PAUSE_MS = 10_000
const TIMEOUT_MS = 5_000
/** Any payin: without a customer's token the gateway says 401, after it has looked at the key. */
const KEY_PATH = '/checkout/payins/-/!judgeAddresses'

/** Asks the gateway now and again, and tells the log when something has changed. */
export function watchGateway(options: GatewayWatchOptions): GatewayWatch {
  const { log, serviceKey, pauseMs = PAUSE_MS } = options
  let state: GatewayState | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  if (serviceKey === undefined)
    log.warn(
      'there is no CHECKOUT_SERVICE_KEY: customers come back from their bank to the shop, cannot send a reference unless their token permits it, and see no payment after their token has ended',
    )

  async function look(): Promise<void> {
    const seen = await ask(options)
    if (isStopped) return
    if (seen !== state) tell(options, seen)
    state = seen
    timer = setTimeout(() => void look(), pauseMs).unref()
  }

  void look()
  return {
    get state() {
      return state
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

async function ask({ apiUrl, serviceKey }: GatewayWatchOptions): Promise<GatewayState> {
  const wire = createGateway({ baseUrl: apiUrl, merchantCode: '', retries: 0, timeoutMs: TIMEOUT_MS })
  try {
    if (serviceKey === undefined) {
      const { status } = await wire.request({ method: 'GET', path: '/livez' })
      return status === 200 ? 'OK' : 'UNREACHABLE'
    }
    const headers = { [KEY_HEADER]: serviceKey }
    const { status } = await wire.request({ method: 'POST', path: KEY_PATH, headers, body: {} })
    if (status === 404) return 'KEY_UNKNOWN'
    return status === 401 || status === 429 ? 'OK' : 'UNREACHABLE'
  } catch (error) {
    if (error instanceof TollgateError) return 'UNREACHABLE'
    throw error
  }
}

function tell({ log, apiUrl }: GatewayWatchOptions, state: GatewayState): void {
  if (state === 'OK') log.info({ apiUrl }, 'the gateway answers')
  else if (state === 'UNREACHABLE')
    log.warn({ apiUrl }, 'the gateway does not answer; customers are asked to wait')
  else
    log.error(
      { apiUrl },
      'the gateway does not know this page: CHECKOUT_SERVICE_KEY must be what `tollgate checkout --settings` prints',
    )
}
