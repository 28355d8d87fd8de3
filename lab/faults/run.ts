import { setTimeout as sleep } from 'node:timers/promises'
import { describeMachine, listVersions } from '../rig/machine.ts'
import { createRandom, type Random } from '../rig/random.ts'
import { UsageError } from '../rig/usage.ts'
import { commandOf, type Extent, type FaultsOptions, type Form } from './arguments.ts'
import { check } from './check/check.ts'
import { type Call, type Facts, type Finding, textOf } from './check/facts.ts'
import { lineOf, nowMs } from './driver/history.ts'
import type { FaultKind, Prepared } from './kinds/index.ts'
import { type Figures, figuresOf, killsIn } from './report/figures.ts'
import type { Phase, Results, Skipped } from './report/results.ts'
import { findEarlierVersion } from './setup/earlier-version.ts'
import { missingForPatroni, startPatroniCluster } from './setup/patroni-cluster.ts'
import { startServerPair } from './setup/server-pair.ts'
import { openStage, type Stage } from './setup/stage.ts'
import { findTraces } from './setup/traces.ts'
import { countEvents, hearAll, isQuiet, verifyBooks } from './setup/witnesses.ts'

/** After the last strike payments go on, so that the first 201 after it is seen. */
const SETTLE_MS = 3_000
const QUIET_POLL_MS = 500
const ROUNDS_MAX = 100
const FINDINGS_SHOWN = 10
/** What never comes to rest is found by the checks. */
const HEARINGS_MAX = 5

/** A run in which an invariant broke; the message has what was found, with the history of each payment. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken'
  readonly findings: readonly Finding[]

  constructor(message: string, findings: readonly Finding[]) {
    super(message)
    this.findings = findings
  }
}

/** Runs phase after phase. Throws InvariantBroken after the first one that broke something. */
export async function runFaults(options: FaultsOptions, seed: number): Promise<Results> {
  const startMs = nowMs()
  const random = createRandom(seed)
  const stage = await openStageFor(options.form, random.fork())
  try {
    const { kinds, skipped } = possibleOf(options, stage)
    const { phases, figures } = await runPhases(stage, { ...options, kinds }, random)
    const { server, history } = stage
    history.discard()
    return {
      takenOn: new Date().toISOString().slice(0, 10),
      command: commandOf(options, seed),
      seed,
      minutes: (nowMs() - startMs) / 60_000,
      machine: describeMachine(server.dataDir),
      versions: listVersions(server.settings['server_version'] ?? '', undefined),
      database: server.settings,
      phases,
      skipped,
      figures,
    }
  } finally {
    await stage.close()
  }
}

/** Throws UsageError where the form cannot be had on this machine. */
function openStageFor(form: Form, random: Random): Promise<Stage> {
  if (form === 'failover') return openStage(random, startServerPair)
  if (form === 'upgrade') return openEarlierStage(random)
  if (form !== 'patroni') return openStage(random)
  const reason = missingForPatroni()
  if (reason !== undefined) throw new UsageError(`--patroni: ${reason}`)
  return openStage(random, startPatroniCluster)
}

/** Two migrations are to come, where the history allows it. */
async function openEarlierStage(random: Random): Promise<Stage> {
  const before = findEarlierVersion(2)
  const version = 'root' in before ? before : findEarlierVersion()
  if ('reason' in version) throw new UsageError(`--upgrade: ${version.reason}`)
  const stage = await openStage(random, undefined, version.root)
  stage.say(`upgrade: from ${version.commit}, whose newest migration is ${version.migrations.at(-1) ?? ''}`)
  return stage
}

interface Possible {
  readonly kinds: readonly FaultKind[]
  readonly skipped: readonly Skipped[]
}

/** The kinds that can be had on this machine; of the others it is said why. */
function possibleOf({ kinds }: FaultsOptions, { say }: Stage): Possible {
  const skipped = kinds.flatMap((kind) => {
    const reason = kind.missing?.()
    return reason === undefined ? [] : [{ name: kind.name, title: kind.title, reason }]
  })
  for (const { name, reason } of skipped) say(`${name}: skipped, ${reason}`)
  const names = new Set(skipped.map(({ name }) => name))
  return { kinds: kinds.filter(({ name }) => !names.has(name)), skipped }
}

interface Run {
  readonly phases: readonly Phase[]
  readonly figures: Figures
}

async function runPhases(stage: Stage, { kinds, extent }: FaultsOptions, random: Random): Promise<Run> {
  const phases: Phase[] = []
  let figures: Figures | undefined
  // What was paid in at the beginning is there before anybody pays out.
  await untilQuiet(stage, extent)
  for (const kind of Array.from({ length: ROUNDS_MAX }, () => kinds).flat()) {
    const hadAll = phases.length >= kinds.length
    if (hadAll && figures !== undefined && isEnough(figures, extent)) break
    const phase = await runPhase(stage, { kind, extent, random })
    phases.push(phase.phase)
    figures = phase.figures
  }
  if (figures === undefined) throw new Error('no kind of fault was chosen that can be had here')
  return { phases, figures }
}

function isEnough(figures: Figures, { acknowledgedMin, killsMin }: Extent): boolean {
  return figures.acknowledged >= acknowledgedMin && killsIn(figures) >= killsMin
}

interface PhaseOptions {
  readonly kind: FaultKind
  readonly extent: Extent
  readonly random: Random
}

async function runPhase(
  stage: Stage,
  { kind, extent, random }: PhaseOptions,
): Promise<{ readonly phase: Phase; readonly figures: Figures }> {
  const { driver, history, kills, notes, say } = stage
  const before = history.calls.length
  await stage.renewTokens()
  driver.start(extent.clients)
  // Also when the harness itself breaks: nobody asks any more when it is taken down.
  const strikes = await strikeFor(stage, { kind, extent, random }).finally(() => driver.stop())
  const struckAtMs = nowMs()
  await untilQuiet(stage, extent)
  const quietSeconds = (nowMs() - struckAtMs) / 1000
  const facts = await hearUndisturbed(stage, extent)
  const traces = findTraces([...stage.apis, ...stage.workers], stage.secrets())
  const findings = [...notes.findings, ...check(facts), ...(await verifyBooks(stage)), ...traces]
  const calls = history.calls.slice(before)
  const phase: Phase = {
    name: kind.name,
    title: kind.title,
    strikes,
    acknowledged: calls.filter(({ httpStatus }) => httpStatus === 201).length,
    unknown: calls.filter(({ outcome }) => outcome === 'unknown').length,
    quietSeconds,
  }
  say(phaseLine(phase, findings))
  if (findings.length > 0) throw new InvariantBroken(describeFindings(findings, facts, stage), findings)
  return { phase, figures: figuresOf(facts, { kills: kills.all, notes, findings }) }
}

async function strikeFor(stage: Stage, { kind, extent, random }: PhaseOptions): Promise<number> {
  const prepared = await prepare(stage, kind, random)
  let strikes = 0
  try {
    const seconds = kind.isKill ? extent.killPhaseSeconds : extent.phaseSeconds
    const deadlineMs = nowMs() + seconds * 1000
    while (nowMs() < deadlineMs) {
      await prepared.strike()
      strikes += 1
    }
  } finally {
    await prepared.end()
  }
  await sleep(SETTLE_MS)
  return strikes
}

async function prepare(stage: Stage, kind: FaultKind, random: Random): Promise<Prepared> {
  if ('prepare' in kind) return kind.prepare(stage, random)
  return { strike: () => kind.strike(stage, random), end: () => Promise.resolve() }
}

/** Nothing is due and nothing is under way; what is still so after that time is found by the checks. */
async function untilQuiet(stage: Stage, { quietSecondsMax }: Extent): Promise<void> {
  const deadlineMs = nowMs() + quietSecondsMax * 1000
  while (nowMs() < deadlineMs && !(await isQuiet(stage))) await sleep(QUIET_POLL_MS)
}

/**
 * Hears all witnesses of one and the same state. They are asked one after the other, and a payment of which nobody knew anything for
 * minutes may go on at any moment: then what was heard is of two moments, and everybody is asked again.
 */
async function hearUndisturbed(stage: Stage, extent: Extent): Promise<Facts> {
  for (let tries = 1; ; tries += 1) {
    const before = await countEvents(stage)
    const facts = await hearAll(stage)
    const isUndisturbed = (await isQuiet(stage)) && (await countEvents(stage)) === before
    if (isUndisturbed || tries === HEARINGS_MAX) return facts
    await untilQuiet(stage, extent)
  }
}

function phaseLine(phase: Phase, findings: readonly Finding[]): string {
  return [
    phase.name.padEnd(17),
    `${phase.strikes} strikes`.padEnd(11),
    `${phase.acknowledged} accepted`.padEnd(14),
    `${phase.unknown} unknown`.padEnd(12),
    `quiet after ${phase.quietSeconds.toFixed(0)} s`.padEnd(18),
    findings.length === 0 ? 'all invariants hold' : `${findings.length} FINDINGS`,
  ].join('  ')
}

function describeFindings(findings: readonly Finding[], { calls }: Facts, { history }: Stage): string {
  const shown = findings.slice(0, FINDINGS_SHOWN).flatMap(({ invariant, says, name }) => {
    const lines = name === undefined ? [] : historyOf(calls, textOf(name))
    return [`${invariant}  ${name === undefined ? '' : `${textOf(name)}: `}${says}`, ...lines]
  })
  const more = findings.length - FINDINGS_SHOWN
  return [...shown, ...(more > 0 ? [`and ${more} more`] : []), `All lines are in ${history.file}.`].join('\n')
}

function historyOf(calls: readonly Call[], name: string): readonly string[] {
  return calls
    .filter((call) => textOf(call.name) === name)
    .flatMap((call) => [
      `      ${lineOf('invoke', call)}`,
      ...(call.outcome === undefined ? [] : [`      ${lineOf(call.outcome, call)}`]),
    ])
}
