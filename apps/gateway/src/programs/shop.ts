import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '@tollgate/runtime'
import type { Config } from '../config.ts'
import { type RunningProgram, superviseProgram } from './child-program.ts'
import { dataDirOf } from './installation.ts'

// The shop of the sandbox, as a child process of `npm start`: a merchant's program, with the credentials of the merchant DEMO.

const MAIN = fileURLToPath(new URL('../../../shop/src/main.ts', import.meta.url))

/** Starts the shop; undefined where there is to be none: in live, and where its port is 0. */
export function startShop({
  config,
  log,
}: {
  readonly config: Config
  readonly log: Log
}): RunningProgram | undefined {
  if (config.isLive || config.TOLLGATE_SHOP_PORT === 0) return undefined
  const folder = join(dataDirOf(config), 'shop')
  return superviseProgram({
    name: 'the shop',
    main: MAIN,
    folder,
    logFile: join(folder, 'shop.log'),
    environment: {
      SHOP_HOST: config.TOLLGATE_HOST,
      SHOP_PORT: String(config.TOLLGATE_SHOP_PORT),
      SHOP_URL: config.publicShopUrl,
      SHOP_MERCHANT_FILE: join(dataDirOf(config), 'demo', 'merchant.json'),
    },
    log,
  })
}
