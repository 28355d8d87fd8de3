import { createCallbackService } from '../modules/callbacks/index.ts'
import { withInstallation } from './installation.ts'
import type { Shell } from './shell.ts'

const LOOKED_AT_MAX = 100
const NAMED_MAX = 3
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/** Callbacks to this port that came while nobody listened, a sentence for each kind; only of the installation that runs here. */
export function readMissed(shell: Shell, port: number): Promise<readonly string[]> {
  return withInstallation(shell, async (installation) => {
    const { listCallbacks } = createCallbackService(installation)
    const here = async (state: 'PENDING' | 'EXHAUSTED'): Promise<readonly string[]> => {
      const events = await listCallbacks({ state, limit: LOOKED_AT_MAX })
      return events
        .filter(({ url, attemptsStarted }) => attemptsStarted > 0 && isOfPort(url, port))
        .map(({ eventId }) => eventId)
    }
    return [
      ...sentence(await here('PENDING'), 'waiting to be repeated'),
      ...sentence(await here('EXHAUSTED'), 'given up'),
    ]
  })
}

function isOfPort(text: string, port: number): boolean {
  const url = URL.parse(text)
  return url !== null && THIS_MACHINE.includes(url.hostname) && url.port === String(port)
}

function sentence(eventIds: readonly string[], state: string): readonly string[] {
  if (eventIds.length === 0) return []
  const named = eventIds.slice(0, NAMED_MAX).join(', ')
  const more = eventIds.length > NAMED_MAX ? ' …' : ''
  const callbacks =
    eventIds.length === 1 ? '1 callback to this port is' : `${eventIds.length} callbacks to this port are`
  return [`${callbacks} ${state}; \`tollgate callbacks resend <id>\` sends one now: ${named}${more}`]
}
