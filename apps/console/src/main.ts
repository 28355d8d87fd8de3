import { runProgram } from '@tollgate/page-server'
import { readConfig } from './config.ts'
import { startConsole } from './server.ts'

// The operators' console as a process of its own.
runProgram({ prefix: 'CONSOLE', readConfig: () => readConfig(process.env), start: startConsole })
