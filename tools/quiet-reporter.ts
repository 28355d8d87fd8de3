import { relative, resolve } from 'node:path'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect, styleText } from 'node:util'

/** What came of a run of the tests. */
export interface TestRun {
  readonly passed: boolean
  /** Some files were not run to their end. */
  readonly isCutShort: boolean
  readonly tests: number
  /** The files with a test that failed. */
  readonly failedFiles: readonly string[]
  /** The tests that failed, by the names of those around them. */
  readonly failedTests: readonly string[]
}

type Write = (text: string) => void
type Failure = EventData.TestFail & {
  readonly path: readonly string[]
  /** The file that node ran, which may only call what has the test in it. */
  ranIn?: string
}

interface Notes {
  readonly write: Write
  /** What files print is shown at once. */
  readonly isLoud: boolean
  /** The file that node ran to run this one, where that is another. */
  readonly groupOf: (file: string) => string | undefined
  /** Names of the tests that enclose the current one, by file and depth. */
  readonly paths: Map<string, string[]>
  /** What the files printed, kept for those that fail. */
  readonly output: Map<string, string>
  readonly failures: Failure[]
  readonly durationsMs: Map<string, number>
  /** Files in which no test ran: node counts each of them as a test that passed. */
  readonly emptyFiles: Set<string>
  /** Files that began and have not ended. */
  readonly running: Set<string>
  /** Files that an aborted run did not come to the end of, and whether they had begun. */
  readonly aborted: Map<string, 'RUNNING' | 'WAITING'>
  total?: EventData.TestSummary
}

const OUTPUT_CHARS_MAX = 20_000
const SLOWEST_FILES = 5

/**
 * Says nothing about tests that pass, unless `isLoud` shows what they print. A failure is shown in full when it happens; at the end come the output of the
 * files that failed, the slowest files, and the counts in the form node's own reporter gives them.
 */
export async function reportQuietly(
  events: AsyncIterable<TestEvent>,
  how: Pick<Notes, 'write' | 'isLoud' | 'groupOf'>,
): Promise<TestRun> {
  const notes: Notes = {
    ...how,
    paths: new Map(),
    output: new Map(),
    failures: [],
    durationsMs: new Map(),
    emptyFiles: new Set(),
    running: new Set(),
    aborted: new Map(),
  }
  for await (const event of events) note(notes, event)
  writeOutputOfFailedFiles(notes)
  writeAbortedFiles(notes)
  writeSlowestFiles(notes)
  return writeCounts(notes)
}

function note(notes: Notes, event: TestEvent): void {
  const { type, data } = event
  if (type === 'test:dequeue' || type === 'test:complete') noteProgress(notes, event)
  else if (type === 'test:start') enclosing(notes, data).splice(data.nesting, Infinity, data.name)
  else if (type === 'test:fail') noteFailure(notes, data)
  else if (type === 'test:pass') notePass(notes, data)
  else if (type === 'test:stdout' || type === 'test:stderr') noteOutput(notes, data)
  else if (type === 'test:summary') noteSummary(notes, data)
}

/** Whether an event is about a whole file: node runs each as a test of that name. */
function isFile({
  name,
  file,
  nesting,
}: {
  name: string
  file?: string | undefined
  nesting: number
}): boolean {
  return nesting === 0 && file !== undefined && resolve(name) === resolve(file)
}

type Progress = Extract<TestEvent, { type: 'test:dequeue' | 'test:complete' }>

/** Follows whole files as they begin and end; the other events come in the order of the files. */
function noteProgress({ running, aborted }: Notes, { type, data }: Progress): void {
  if (!isFile(data)) return
  if (type === 'test:dequeue') {
    running.add(data.name)
    return
  }
  const hadBegun = running.delete(data.name)
  if (isAborted(data.details.error)) aborted.set(data.name, hadBegun ? 'RUNNING' : 'WAITING')
}

function isAborted(error: Error | undefined): boolean {
  return error !== undefined && 'failureType' in error && error.failureType === 'testAborted'
}

function notePass(notes: Notes, data: EventData.TestPass): void {
  if (isFile(data) && data.file !== undefined) notes.emptyFiles.add(data.file)
  else noteDuration(notes, data)
}

/** Of files that share a process, the tests themselves say how long they took. */
function noteDuration({ durationsMs, groupOf }: Notes, { nesting, file, details }: EventData.TestPass): void {
  if (nesting > 0 || file === undefined || groupOf(file) === undefined) return
  durationsMs.set(file, (durationsMs.get(file) ?? 0) + details.duration_ms)
}

function noteOutput(notes: Notes, data: { file: string; message: string }): void {
  if (notes.isLoud) notes.write(data.message)
  const file = resolve(data.file)
  notes.output.set(file, `${notes.output.get(file) ?? ''}${data.message}`.slice(-OUTPUT_CHARS_MAX))
}

function noteSummary(notes: Notes, data: EventData.TestSummary): void {
  // It follows what happened in its file.
  if (data.file !== undefined) for (const failure of notes.failures) failure.ranIn ??= data.file
  if (data.file === undefined) notes.total = data
  // Of a group, its files say how long they took.
  else if (!data.file.endsWith('.mjs')) notes.durationsMs.set(data.file, data.duration_ms)
}

function enclosing(notes: Notes, { file = '' }: { file?: string }): string[] {
  const path = notes.paths.get(file) ?? []
  notes.paths.set(file, path)
  return path
}

function noteFailure(notes: Notes, data: EventData.TestFail): void {
  if (data.todo !== undefined && data.todo !== false) return
  const error = data.details.error
  // The test inside has been shown; that its parents failed with it is no news.
  if ('failureType' in error && error.failureType === 'subtestsFailed') return
  // One line at the end says it of all of them.
  if (isFile(data) && isAborted(error)) return
  const failure: Failure = { ...data, path: [...enclosing(notes, data).slice(0, data.nesting), data.name] }
  notes.failures.push(failure)
  notes.write(describeFailure(failure))
}

function describeFailure(failure: Failure): string {
  const { error, duration_ms: durationMs } = failure.details
  const place = `${shortName(failure.file ?? '')}:${failure.line ?? 1}`
  const title = styleText('red', `✖ ${failure.path.join(' › ')} (${durationMs.toFixed(0)} ms)`)
  const reason = inspect('cause' in error ? error.cause : error, { colors: process.stdout.isTTY, depth: 6 })
  return `${title}\n  at ${place}\n${reason.replaceAll(/^/gm, '  ')}\n\n`
}

function writeOutputOfFailedFiles(notes: Notes): void {
  for (const file of new Set(notes.failures.map((failure) => failure.file ?? ''))) {
    const output = notes.output.get(resolve(notes.groupOf(file) ?? file))
    if (output !== undefined) notes.write(`Output of ${shortName(file)}:\n${output.trimEnd()}\n\n`)
  }
}

function writeAbortedFiles({ aborted, write }: Notes): void {
  const running = [...aborted].filter(([, state]) => state === 'RUNNING').map(([file]) => shortName(file))
  if (aborted.size === 0) return
  write(
    `The run was aborted. Running: ${running.join(', ')}. Not begun: ${aborted.size - running.length} files.\n`,
  )
}

function writeSlowestFiles(notes: Notes): void {
  const slowest = [...notes.durationsMs].sort(([, a], [, b]) => b - a).slice(0, SLOWEST_FILES)
  if (slowest.length === 0) return
  notes.write('Slowest files:\n')
  for (const [file, durationMs] of slowest) {
    notes.write(`  ${(durationMs / 1000).toFixed(1).padStart(6)} s  ${shortName(file)}\n`)
  }
}

function writeCounts(notes: Notes): TestRun {
  const { total, failures, emptyFiles } = notes
  if (total === undefined) {
    notes.write('The run was cut short: there are no counts.\n')
    return { passed: false, isCutShort: true, tests: 0, failedFiles: [], failedTests: [] }
  }
  const { suites, cancelled, skipped, todo } = total.counts
  const tests = total.counts.tests - emptyFiles.size
  const pass = total.counts.passed - emptyFiles.size
  const fail = tests - pass - cancelled - skipped - todo
  const lines = {
    tests,
    suites,
    pass,
    fail,
    cancelled,
    skipped,
    todo,
    duration_ms: Math.round(total.duration_ms),
  }
  for (const [name, value] of Object.entries(lines)) notes.write(`ℹ ${name} ${value}\n`)
  return {
    passed: total.success && failures.length === 0 && fail === 0 && cancelled === 0,
    isCutShort: notes.aborted.size > 0,
    tests,
    failedFiles: [...new Set(failures.map(repeatable))],
    failedTests: failures.map((failure) => `${shortName(repeatable(failure))}: ${failure.path.join(' › ')}`),
  }
}

/** The file to run in order to see the failure again. */
function repeatable({ file = '', ranIn = file }: Failure): string {
  return file.endsWith('.test.ts') ? file : ranIn
}

function shortName(file: string): string {
  return relative(process.cwd(), file)
}
