import { systemClock } from '@tollgate/runtime'
import { CommandFailure, EXIT_CODES } from './failure.ts'
import { harmless } from './harmless.ts'
import { createProgram } from './program.ts'
import type { Report, Shell } from './shell.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Runs one command and resolves to its exit code. Nothing is thrown: every failure becomes a sentence on standard error. */
export async function runCommandLine(args: readonly string[], environment: Environment): Promise<number> {
  // A reader that has seen enough, such as `head`, ends the command quietly.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT_CODES.OK : EXIT_CODES.FAULT)
  })
  let exitCode: number = EXIT_CODES.OK
  const shell: Shell = {
    clock: systemClock,
    isJson: () => program.getOptionValue('json') === true,
    config: async () => (await import('../config.ts')).readConfig(environment),
    environment,
    input: process.stdin,
    print: (line) => process.stdout.write(`${line}\n`),
    note,
    act:
      (work) =>
      async (...values) => {
        exitCode = deliver(shell, await work(...values))
      },
  }
  const program = createProgram(shell)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return fail(error)
  }
}

const note = (sentence: string): void => {
  process.stderr.write(`${harmless(sentence)}\n`)
}

function deliver(shell: Shell, report: Report): number {
  if (shell.isJson()) {
    if (report.json !== undefined) shell.print(JSON.stringify(report.json, undefined, 2))
  } else if (typeof report.text !== 'string') process.stdout.write(report.text)
  else if (report.text !== '') shell.print(report.text)
  for (const sentence of report.notes ?? []) note(sentence)
  return report.exitCode ?? EXIT_CODES.OK
}

async function fail(error: unknown): Promise<number> {
  const outcome = asHelp(error)
  if (outcome !== undefined) return outcome
  const failure = error instanceof CommandFailure ? error : (await import('./explain.ts')).explain(error)
  if (failure !== undefined) {
    for (const line of [failure.message, ...failure.lines]) note(line)
    return EXIT_CODES[failure.kind]
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  for (const line of `This is a fault of the command: ${trace}`.split('\n')) note(line)
  return EXIT_CODES.FAULT
}

/** Help and the version end the parser by an error, too. Help that nobody asked for means that a command is missing. */
function asHelp(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name !== 'CommanderError' || !('exitCode' in error)) return undefined
  return error.exitCode === 0 ? EXIT_CODES.OK : EXIT_CODES.USAGE
}
