import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runToItsEnd } from '../run-program.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'

const SIGNER_MAIN = fileURLToPath(new URL('../../../../signer/src/main.ts', import.meta.url))

/** `tollgate signer run|check|new-key|sweep`: a program of its own, which learns nothing of the gateway's settings. */
export async function runSigner(
  { environment }: Pick<Shell, 'environment'>,
  wish: 'run' | 'check' | 'new-key' | 'sweep',
  ...files: readonly string[]
): Promise<Report> {
  const given = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith('TOLLGATE_') ? [] : [[name, value]],
  )
  return {
    ...NOTHING_MORE,
    exitCode: await runToItsEnd(SIGNER_MAIN, Object.fromEntries(given), [
      wish,
      ...files.map((file) => resolve(file)),
    ]),
  }
}
