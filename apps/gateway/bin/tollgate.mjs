#!/usr/bin/env node
// `tollgate`: runs the command line on Node 24 or newer. An older Node starts the one that npm installed beside us.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const EXIT_USAGE = 2
/** Processes that stay. */
const SERVICES = ['serve', 'worker']
/** V8 otherwise lets new objects take 128 MiB, and the old ones grow by half, before it looks for garbage. */
const SMALL_MEMORY = ['--max-semi-space-size=16', '--heap-growing-percent=30']
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  if (SERVICES.includes(process.argv[2])) keepMemorySmall()
  // Halves the start. Beside the code, since whoever may write there may change the code as well.
  nodeModule.enableCompileCache(
    fileURLToPath(new URL('../../../node_modules/.cache/tollgate', import.meta.url)),
  )
  const { runCommandLine } = await import('../src/cli/main.ts')
  process.exitCode = await runCommandLine(process.argv.slice(2), process.env)
} else {
  runOn(installedNode())
}

/**
 * Becomes the same program with a smaller memory: V8 takes these limits only when it starts. Flags that somebody chose stay. A
 * process with a channel to its parent, which would not survive, goes on as it is.
 */
function keepMemorySmall() {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-')
  const missing = SMALL_MEMORY.filter((flag) => !given.includes(flag.slice(0, flag.indexOf('='))))
  if (missing.length === 0 || process.channel !== undefined || process.platform === 'win32') return
  try {
    process.execve(
      process.execPath,
      [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)],
      process.env,
    )
  } catch {
    // Where a sandbox forbids it, the process is only larger.
  }
}

/** Node from npm, an optional package per platform, if it is there. */
function installedNode() {
  try {
    const name = `node-${process.platform}-${process.arch}/package.json`
    const program = join(dirname(createRequire(import.meta.url).resolve(name)), 'bin/node')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

function runOn(node) {
  if (node === undefined) {
    process.stderr.write(
      `Tollgate needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.versions.node}. Install it. On Linux \`npm ci\` brings one along, unless optional packages are omitted.\n`,
    )
    process.exitCode = EXIT_USAGE
    return
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  // At a terminal Ctrl-C reaches the whole group by itself: the child would count a forwarded one as the second.
  const isAtTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isAtTerminal) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    process.stderr.write(`${node} cannot be run: ${error.message}\n`)
    process.exitCode = EXIT_USAGE
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}
