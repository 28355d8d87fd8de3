import { verifyAudit } from '../../modules/audit/index.ts'
import { verifyJournal } from '../../modules/journal/index.ts'
import { type Finding, insertLedgerCheck, type Verification } from '../../modules/ledger/index.ts'
import { listMerchantCodes } from '../../modules/merchants/index.ts'
import { describeUnproven } from '../../modules/payouts/index.ts'
import { type ChainHead, parseHead } from '../../platform/chain/index.ts'
import type { Database } from '../../platform/database.ts'
import { verifyBooks } from '../../rooms/books.ts'
import { buildRestoreGap } from '../../rooms/restore-gap.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { withInstallation } from '../installation.ts'
import { notesOfRecording } from '../recording.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate ledger check`. */
export async function checkLedger(
  shell: Shell,
  wish: { readonly head?: string; readonly auditHead?: string },
): Promise<Report> {
  const heads = { head: readHead('head', wish.head), auditHead: readHead('audit-head', wish.auditHead) }
  return withInstallation(shell, async (installation) => {
    const { checks, findings } = await examineBooks(installation.db, heads)
    const unrecorded = await notesOfRecording('check', () =>
      insertLedgerCheck(installation.db, { checks: checks.length, findings: findings.length }),
    )
    const waived = (await buildRestoreGap(installation).listUnproven()).map(describeUnproven)
    const isClean = findings.length === 0
    const found = isClean
      ? [`The books agree: ${checks.length} checks found nothing.`]
      : findings.map(({ check, detail }) => `${check}: ${detail}`)
    return {
      json: { clean: isClean, checks, findings, waived },
      text: [...found, ...waived].join('\n'),
      ...(isClean && unrecorded.length > 0 && { notes: unrecorded }),
      ...(!isClean && {
        notes: [
          ...unrecorded,
          `${findings.length === 1 ? '1 finding' : `${findings.length} findings`}. Stop payouts, keep the database as it is, and look into each: docs/operations.md, "The books do not agree".`,
        ],
        exitCode: EXIT_CODES.FAULT,
      }),
    }
  })
}

/** Heads that the journal and the audit log have to contain, where they are given. */
interface Heads {
  readonly head?: ChainHead | undefined
  readonly auditHead?: ChainHead | undefined
}

/** Recomputes the books and follows the journal and the audit log. */
export async function examineBooks(db: Database, { head, auditHead }: Heads): Promise<Verification> {
  const books = await verifyBooks(db)
  const journal = await verifyJournal(db, { ...(head && { head }) })
  const audit = await verifyAudit(db, { ...(auditHead && { head: auditHead }) })
  return {
    checks: [...books.checks, ...journal.checks, ...audit.checks],
    findings: await nameMerchants(db, [...books.findings, ...journal.findings, ...audit.findings]),
  }
}

const MERCHANT = /\bmerchant (\d+)\b/g

/** Merchants by their codes, as everywhere else; one that does not exist keeps its number. */
async function nameMerchants(db: Database, findings: readonly Finding[]): Promise<readonly Finding[]> {
  const numbers = new Set(
    findings.flatMap(({ detail }) => [...detail.matchAll(MERCHANT)].map(([, id]) => id ?? '')),
  )
  if (numbers.size === 0) return findings
  const codes = await listMerchantCodes(db, [...numbers])
  return findings.map(({ check, detail }) => ({
    check,
    detail: detail.replace(MERCHANT, (text, id: string) => {
      const code = codes.get(id)
      return code === undefined ? text : `merchant ${code}`
    }),
  }))
}

function readHead(option: 'head' | 'audit-head', text: string | undefined): ChainHead | undefined {
  if (text === undefined) return undefined
  const head = parseHead(text)
  if (head !== undefined) return head
  throw new CommandFailure(
    'USAGE',
    `--${option} takes what \`tollgate ${option === 'head' ? 'ledger' : 'audit'} head\` showed: an entry number, a colon and 64 hexadecimal digits; it is ${JSON.stringify(text)}.`,
  )
}
