import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { systemClock } from '@tollgate/runtime'
import { JournalDamaged } from '@tollgate/runtime/journal'
import { createLog, linesWritten } from '@tollgate/runtime/log'
import { ConfigError } from '@tollgate/runtime/settings'
import { readSweepPlan } from '@tollgate/signer-protocol'
import { addr } from 'micro-eth-signer'
import { holdAlone, NotAlone } from './alone.ts'
import { openRecord } from './record.ts'
import { serveSigner } from './server.ts'
import { readSignerSettings } from './settings.ts'
import { createSigner } from './signer.ts'
import { SweepRefused, signSweep } from './sweep.ts'
import { readSweepSettings } from './sweep-settings.ts'

// The signer as a process of its own: `run <settings>`, `check <settings>`, `new-key <file>`.

const EXIT_USAGE = 2
const EXIT_FAULT = 1
const USAGE = `tollgate signer run <settings>     sign what the gateway asks for, until it is stopped
tollgate signer check <settings>   say what is wrong with the settings or the record; sign nothing
tollgate signer new-key <file>     make the key of a new wallet, and print its address
tollgate signer sweep <settings> <plan> <signed>
                                   sign a plan that the gateway made, without network
`

async function main([wish, file, ...rest]: readonly string[]): Promise<void> {
  const [plan, signed] = rest
  if (
    wish === 'sweep' &&
    file !== undefined &&
    plan !== undefined &&
    signed !== undefined &&
    rest.length === 2
  )
    return sweep(file, plan, signed)
  if (file === undefined || rest.length > 0) throw new ConfigError(`These are its commands:\n${USAGE}`)
  const command = wish === undefined ? undefined : COMMANDS.get(wish)
  if (command === undefined)
    throw new ConfigError(`There is no command ${JSON.stringify(wish)}. These are its commands:\n${USAGE}`)
  await command(file)
}

async function run(file: string): Promise<void> {
  const ended = untilAskedToEnd()
  const settings = readSignerSettings(file)
  const log = createLog({ level: 'info' })
  const alone = await holdAlone(settings.recordFile)
  const record = await openRecord(settings.recordFile)
  const nowMs = (): number => systemClock.nowMs()
  const signer = createSigner({ ...settings, record, nowMs })
  const server = await serveSigner({
    socket: settings.socket,
    secret: settings.secret,
    signer,
    log,
    nowMs,
    // What is not on the disk must not be signed again as something else: the next start reads the record anew.
    onBroken(error) {
      log.error({ err: error }, 'the record cannot be written; the signer ends')
      void linesWritten().then(() => process.exit(EXIT_FAULT))
    },
  })
  log.info(
    { address: signer.address, socket: settings.socket, signed: record.lines() },
    'the signer is ready',
  )
  process.send?.({ type: 'OPEN' })
  await ended
  await server.close()
  await record.close()
  await alone.release()
  await linesWritten()
  process.exit(0)
}

async function check(file: string): Promise<void> {
  const settings = readSignerSettings(file)
  const lines = existsSync(settings.recordFile) ? await linesOfRecord(settings.recordFile) : 0
  const chains = settings.chains.map(
    ({ chainId, tokens, payees }) =>
      `  chain ${chainId}: ${tokens.length} tokens${payees === undefined ? '' : `, ${payees.size} payees`}`,
  )
  process.stdout.write(
    `The settings are in order; the record has ${lines} lines. Its address is ${addr.fromPrivateKey(settings.privateKey)}.\n${chains.join('\n')}\n`,
  )
}

async function linesOfRecord(file: string): Promise<number> {
  const alone = await holdAlone(file)
  const record = await openRecord(file)
  await record.close()
  await alone.release()
  return record.lines()
}

const KEY_MODE = 0o600

async function newKey(file: string): Promise<void> {
  if (existsSync(file)) throw new ConfigError(`There is a file ${file} already; a key is never overwritten.`)
  const { privateKey, address } = addr.random()
  writeFileSync(file, `0x${privateKey.replace(/^0x/, '')}\n`, { mode: KEY_MODE, flag: 'wx' })
  process.stdout.write(
    `${address}\nThis is the wallet's address. Its key is in ${file}: whoever has it has the coins. Copy it to a safe place.\n`,
  )
}

async function sweep(settingsFile: string, planFile: string, signedFile: string): Promise<void> {
  const settings = readSweepSettings(settingsFile)
  if (existsSync(signedFile))
    throw new ConfigError(`There is a file ${signedFile} already; it is not overwritten.`)
  const plan = existsSync(planFile) ? readSweepPlan(readFileSync(planFile, 'utf8')) : undefined
  if (plan === undefined)
    throw new ConfigError(`${planFile} is no plan as \`tollgate chains sweep\` writes it.`)
  const signed = signSweep(settings, plan)
  writeFileSync(signedFile, `${JSON.stringify(signed, undefined, 2)}\n`, { mode: KEY_MODE, flag: 'wx' })
  process.stdout.write(
    `Signed: ${plan.moves.length} transfers to ${addr.addChecksum(plan.treasury)}. Check that this is your treasury, and carry ${signedFile} to the gateway: \`tollgate chains send\`.\n`,
  )
}

const COMMANDS: ReadonlyMap<string, (file: string) => Promise<void>> = new Map([
  ['run', run],
  ['check', check],
  ['new-key', newKey],
])

function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
    process.on('disconnect', () => resolve())
  })
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isUsage =
    error instanceof ConfigError ||
    error instanceof JournalDamaged ||
    error instanceof NotAlone ||
    error instanceof SweepRefused
  const text =
    error instanceof Error ? (isUsage ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(isUsage ? EXIT_USAGE : EXIT_FAULT)
})
