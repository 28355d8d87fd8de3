import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../rig/programs.ts'

/** Where systems have it; Debian's package is called faketime. */
const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
] as const

const library = (): string | undefined => LIBRARIES.find((path) => existsSync(path))

/** The wall clock of one program. Its other clock, by which it measures durations, stays right. */
export interface FakedClock {
  /** What the program is to be started with. */
  readonly environment: Settings
  /** So many seconds ahead of the right time, from now on. */
  set(aheadSeconds: number): void
  remove(): void
}

/** Why no clock can be faked here; undefined when one can. */
export function missingForFakedClocks(): string | undefined {
  return library() === undefined ? 'there is no libfaketime' : undefined
}

/** A clock that is right until it is set. */
export function createFakedClock(): FakedClock {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-clock-'))
  // The program may run as another user.
  chmodSync(folder, 0o755)
  const file = join(folder, 'ahead')
  const set = (aheadSeconds: number): void => {
    // Never half a number.
    writeFileSync(`${file}.new`, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}\n`)
    renameSync(`${file}.new`, file)
  }
  set(0)
  return {
    environment: {
      LD_PRELOAD: library() ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_NO_CACHE: '1',
    },
    set,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
