import { runProgram } from '@tollgate/page-server'
import { readConfig } from './config.ts'
import { startCheckout } from './server.ts'

// The hosted payment page as a process of its own.
runProgram({ prefix: 'CHECKOUT', readConfig: () => readConfig(process.env), start: startCheckout })
