import { CommandFailure } from './failure.ts'
import type { Shell } from './shell.ts'

interface Named {
  readonly merchant?: string | undefined
  readonly url?: string | undefined
}

/** The merchant that a command of the sandbox is about: the one that is named, or the demo merchant of the sandbox that runs here. */
export async function sandboxMerchant(shell: Shell, { merchant, url }: Named): Promise<string> {
  const config = await shell.config()
  if (config.isLive && url === undefined)
    throw new CommandFailure('REFUSED', 'This works only in the sandbox.')
  if (merchant !== undefined) return merchant
  const { readDemoMerchant } = await import('./demo-merchant.ts')
  const demo = url === undefined ? readDemoMerchant(config) : undefined
  if (demo !== undefined) return demo.merchantCode
  throw new CommandFailure('USAGE', 'This installation has no demo merchant: name one by --merchant.')
}
