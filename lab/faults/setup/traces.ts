import { readdirSync } from 'node:fs'
import type { Finding } from '../check/facts.ts'
import type { Member } from './member.ts'

// What processes leave behind: words in their logs, and files that they hold open.

/**
 * Sessions of the database, sockets of merchants and receivers that are kept alive, listening sockets, Node's own. One that is
 * forgotten for each payment is beyond it after seconds.
 */
const OPEN_FILES_MAX = 200
/** Of a secret in a message: enough to find the line, and too little to use it. */
const SECRET_CHARACTERS_SHOWN = 6

/** Looks for secrets in what processes have said since they were last asked, and counts the files that they hold open. */
export function findTraces(
  members: readonly Pick<Member, 'pid' | 'takeOutput'>[],
  secrets: readonly string[],
): readonly Finding[] {
  return members.flatMap((member) => [
    ...findSecrets(member.takeOutput(), secrets),
    ...findOpenFiles(member.pid()),
  ])
}

/** I16: what nobody may read in a log. */
export function findSecrets(output: string, secrets: readonly string[]): readonly Finding[] {
  return secrets
    .filter((secret) => output.includes(secret))
    .map((secret) => ({
      invariant: 'I16',
      says: `a process has written "${secret.slice(0, SECRET_CHARACTERS_SHOWN)}…" into its log`,
    }))
}

function findOpenFiles(pid: number): readonly Finding[] {
  const count = openFilesOf(pid)
  if (count <= OPEN_FILES_MAX) return []
  return [{ invariant: 'I18', says: `process ${pid} holds ${count} files open when all is quiet` }]
}

/** 0 for a process that has ended. */
function openFilesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
