import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { at } from '@tollgate/testkit'
import { cleanEnvironment, closeAtSignal } from '../../rig/programs.ts'
import type { Finding } from '../check/facts.ts'
import type { FaultKind } from '../kinds/index.ts'
import type { MutantResult, MutantResults } from '../report/mutants.ts'
import { checkPatches, copySources, type SourceCopy } from './copy.ts'
import { needsStandby } from './loads.ts'
import type { Mutant, Patch } from './mutant.ts'

const TRIAL_TIMEOUT_MS = 600_000
const QUIET_SECONDS_MAX = { unbroken: 180, broken: 20 } as const
const LAST_WORDS_CHARACTERS = 4_000
const SAYS_CHARACTERS_MAX = 160

/** A run of which nothing can be concluded: the tree did not run, or the one without a mutant was found broken. */
export class TrialFailed extends Error {
  override readonly name = 'TrialFailed'
}

interface MutantsOptions {
  readonly mutants: readonly Mutant[]
  readonly seed: number
  /** How to have the same again. */
  readonly command: string
  readonly say: (line: string) => void
}

/**
 * Runs the gateway as it is under all that the mutants run under, and then each mutant. Throws NoLongerApplies before
 * anything is run, and TrialFailed.
 */
export async function runMutants({ mutants, seed, command, say }: MutantsOptions): Promise<MutantResults> {
  const startMs = performance.now()
  checkPatches(mutants)
  const trials = createTrials(seed)
  await tryUnbroken(trials, mutants, say)
  const results: MutantResult[] = []
  for (const mutant of mutants) {
    const { findings, seconds } = await trials.run({
      patches: mutant.patches,
      kinds: [mutant.kind],
      quietSecondsMax: QUIET_SECONDS_MAX.broken,
    })
    const result = resultOf(mutant, findings, seconds)
    say(lineOf(result))
    results.push(result)
  }
  return {
    takenOn: new Date().toISOString().slice(0, 10),
    command,
    seed,
    minutes: (performance.now() - startMs) / 60_000,
    mutants: results,
  }
}

/** Kinds that need another database cannot be had in one run with the others. Throws TrialFailed when something is found. */
async function tryUnbroken(
  trials: Trials,
  mutants: readonly Mutant[],
  say: MutantsOptions['say'],
): Promise<void> {
  const all = new Set(mutants.map(({ kind }) => kind))
  for (const kinds of Map.groupBy(all, needsStandby).values()) {
    const { findings, seconds } = await trials.run({
      patches: [],
      kinds,
      quietSecondsMax: QUIET_SECONDS_MAX.unbroken,
    })
    if (findings.length > 0) throw new TrialFailed(`without a mutant: ${namesOf(findings)}`)
    const names = kinds.map(({ name }) => name).join(', ')
    say(`without a mutant, ${names}: all invariants hold; ${seconds.toFixed(0)} s`)
  }
}

/** What came of a mutant: it is caught when the invariant is broken that it was made to break. */
export function resultOf(
  { name, title, kind, mustBreak }: Mutant,
  findings: readonly Finding[],
  seconds: number,
): MutantResult {
  const broken = [...new Set(findings.map(({ invariant }) => invariant))]
  const first = findings.find(({ invariant }) => invariant === mustBreak)
  return {
    name,
    title,
    under: kind.title,
    mustBreak,
    broken,
    seconds,
    isCaught: first !== undefined,
    says: (first?.says ?? '').slice(0, SAYS_CHARACTERS_MAX),
  }
}

/** A result as one line. */
export function lineOf({ name, title, isCaught, mustBreak, broken, says, seconds }: MutantResult): string {
  const others = broken.filter((invariant) => invariant !== mustBreak)
  const verdict = isCaught
    ? `caught by ${mustBreak} (${says})${others.length > 0 ? `, also ${others.join(', ')}` : ''}`
    : `SURVIVED: ${mustBreak} holds, broken are ${others.join(', ') || 'none'}`
  return `${name}: ${title}; ${verdict}; ${seconds.toFixed(0)} s`
}

interface Trial {
  readonly patches: readonly Patch[]
  readonly kinds: readonly FaultKind[]
  /** What is broken may never become quiet. */
  readonly quietSecondsMax: number
}

interface Tried {
  readonly findings: readonly Finding[]
  readonly seconds: number
}

interface Trials {
  run(trial: Trial): Promise<Tried>
}

/** Trials one after another; the one that runs is ended when this process is. */
function createTrials(seed: number): Trials {
  let stop = (): Promise<void> => Promise.resolve()
  closeAtSignal(() => stop())
  return {
    async run({ patches, kinds, quietSecondsMax }) {
      const startMs = performance.now()
      const copy = copySources(patches)
      const names = kinds.map(({ name }) => name).join(',')
      const child = start(copy, [names, String(seed), String(quietSecondsMax)])
      stop = () => end(child).finally(copy.remove)
      try {
        const findings = await findingsFrom(child)
        return { findings, seconds: (performance.now() - startMs) / 1000 }
      } finally {
        await stop()
      }
    },
  }
}

/** Signals of the terminal do not reach it: it is asked to end once, by us. */
function start(copy: SourceCopy, args: readonly string[]): ChildProcess {
  return fork(join(copy.root, 'lab/faults/mutants/trial.ts'), [...args], {
    cwd: copy.root,
    env: { ...cleanEnvironment(), TMPDIR: copy.scratch },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    execArgv: [],
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function findingsFrom(child: ChildProcess): Promise<readonly Finding[]> {
  let output = ''
  const collect = (text: string): void => {
    output = (output + text).slice(-LAST_WORDS_CHARACTERS)
  }
  child.stdout?.setEncoding('utf8').on('data', collect)
  child.stderr?.setEncoding('utf8').on('data', collect)
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new TrialFailed(`${why}; its last words:\n${output}`))
    const timer = setTimeout(() => fail('a run took too long'), TRIAL_TIMEOUT_MS)
    child.once('message', (message) => resolve(findingsIn(message)))
    child.once('exit', () => {
      clearTimeout(timer)
      fail('a run ended by itself')
    })
  })
}

function findingsIn(message: unknown): readonly Finding[] {
  if (!Array.isArray(message)) throw new TrialFailed('a run told no findings')
  return message.map((each: unknown) => ({
    invariant: String(at(each, 'invariant')),
    says: String(at(each, 'says')),
  }))
}

const namesOf = (findings: readonly Finding[]): string =>
  findings.map(({ invariant, says }) => `${invariant}: ${says}`).join('\n')
