import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'
import type { Case } from './case.ts'
import { CASES } from './cases/index.ts'
import { Fault } from './fault.ts'
import { openRelay, type Relay } from './relay.ts'
import { type Certificate, lineOf, type Played, pageOf, played, sumOf } from './report.ts'
import { openSandbox } from './sandbox.ts'
import { type ShopWish, shopAt } from './shop.ts'
import { createStage, NotPassing, type Stage } from './stage.ts'

/** The options of the command. */
export interface CertifyWish extends ShopWish {
  readonly port: number
  readonly merchant?: string
  readonly report?: string
  /** Only these cases. */
  readonly only?: readonly string[]
}

/** After so many cases without any answer, the others would only wait, too. */
const SILENT_MAX = 2

/** `tollgate certify`: runs all cases against a shop and reports what it did wrong. */
export async function certify(shell: Shell, wish: CertifyWish): Promise<Report> {
  const { isLive } = await shell.config()
  if (isLive) throw new CommandFailure('REFUSED', 'This works only in the sandbox.')
  const chosen = chosenCases(wish.only)
  const { report } = wish
  if (report !== undefined && !existsSync(dirname(resolve(report))))
    throw new CommandFailure(
      'USAGE',
      `${report} cannot be written: there is no folder ${dirname(resolve(report))}.`,
    )
  const certificate = await withInstallation(shell, async (installation) => {
    const sandbox = await openSandbox(shell, installation, wish.merchant)
    const relay = await openRelay({ port: wish.port, apiUrl: sandbox.apiUrl, signer: sandbox.signer })
    try {
      const stage = createStage(relay, sandbox, shopAt(wish))
      await requireShop(stage, relay)
      return await playAll(shell, { shop: wish.order, chosen }, stage)
    } finally {
      relay.close()
    }
  })
  if (report !== undefined) save(report, pageOf(certificate))
  return {
    json: certificate,
    text: sumOf(certificate),
    exitCode: certificate.passed === certificate.total ? EXIT_CODES.OK : EXIT_CODES.FAULT,
  }
}

/** Buys once: a shop that cannot be bought at, or does not say what it believes, cannot be judged. */
async function requireShop(stage: Stage, relay: Relay): Promise<void> {
  try {
    const order = await stage.order()
    await stage.shop.ask(order)
  } catch (error) {
    if (error instanceof NotPassing)
      throw new CommandFailure(
        'USAGE',
        `The shop does not call the gateway through certify: set the gateway’s address in your shop to ${relay.url}, and restart it.`,
      )
    if (!(error instanceof Fault)) throw error
    const { seen, expected, fix = 'docs/guides/certify.md says what a shop needs.' } = error
    throw new CommandFailure(
      error.isSilence ? 'UNREACHABLE' : 'USAGE',
      `The shop cannot be certified: ${seen}; expected: ${expected}. ${fix}`,
    )
  }
}

function chosenCases(only: readonly string[] | undefined): readonly Case[] {
  const unknown = only?.find((name) => CASES.every((it) => it.name !== name))
  if (unknown !== undefined)
    throw new CommandFailure(
      'USAGE',
      `There is no case ${unknown}. The cases: ${CASES.map(({ name }) => name).join(', ')}.`,
    )
  return only === undefined ? CASES : CASES.filter(({ name }) => only.includes(name))
}

async function playAll(
  shell: Shell,
  { shop, chosen }: { readonly shop: string; readonly chosen: readonly Case[] },
  stage: Stage,
): Promise<Certificate> {
  const startedAt = new Date(shell.clock.nowMs()).toISOString()
  const cases: Played[] = []
  let silent = 0
  for (const it of chosen) {
    const end = silent >= SILENT_MAX ? 'NOT_RUN' : await play(it, stage)
    if (end instanceof Fault && end.isSilence) silent += 1
    const ended = played(it, end)
    cases.push(ended)
    if (!shell.isJson()) shell.print(lineOf(ended))
  }
  const passed = cases.filter(({ result }) => result === 'PASSED').length
  const { merchantCode } = stage.sandbox.signer
  return { shop, merchantCode, startedAt, passed, total: cases.length, cases }
}

async function play(it: Case, stage: Stage): Promise<Fault | 'PASSED'> {
  try {
    await it.play(stage)
    return 'PASSED'
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

function save(file: string, page: string): void {
  try {
    writeFileSync(file, page)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new CommandFailure('USAGE', `${file} cannot be written: ${code}.`)
  }
}
