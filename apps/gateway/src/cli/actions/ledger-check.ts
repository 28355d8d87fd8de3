import { systemClock } from '@tollgate/runtime'
import { verifyAudit } from '../../modules/audit/index.ts'
import { checkHoldings } from '../../modules/chains/index.ts'
import { verifyJournal } from '../../modules/journal/index.ts'
import { type Finding, insertLedgerCheck, type Verification } from '../../modules/ledger/index.ts'
import { listMerchantCodes } from '../../modules/merchants/index.ts'
import { describeUnproven } from '../../modules/payouts/index.ts'
import { type ChainHead, parseHead } from '../../platform/chain/index.ts'
import type { Database } from '../../platform/database.ts'
import { createLargeAnswerClient } from '../../platform/outbound/index.ts'
import { verifyBooks } from '../../rooms/books.ts'
import { readChains, withNodes } from '../../rooms/chain-settings.ts'
import { buildRestoreGap } from '../../rooms/restore-gap.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { notesOfRecording } from '../recording.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate ledger check`. */
export async function checkLedger(
  shell: Shell,
  wish: { readonly head?: string; readonly auditHead?: string; readonly chain?: true },
): Promise<Report> {
  const heads = { head: readHead('head', wish.head), auditHead: readHead('audit-head', wish.auditHead) }
  return withInstallation(shell, async (installation) => {
    const books = await examineBooks(installation.db, heads)
    const chains = wish.chain === true ? await examineChains(installation) : NOTHING
    const checks = [...books.checks, ...chains.checks]
    const findings = [...books.findings, ...chains.findings]
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

const NOTHING: Verification = { checks: [], findings: [] }

/** Asks the nodes of each chain what is there, and compares it with our rows. A chain that does not answer is a finding: nobody knows. */
async function examineChains({ config, db }: Pick<Installation, 'config' | 'db'>): Promise<Verification> {
  const chains = readChains(config)
  if (chains.length === 0) throw new CommandFailure('USAGE', '--chain: TOLLGATE_CHAINS_FILE names no chains.')
  const client = createLargeAnswerClient()
  const signal = AbortSignal.timeout(CHAINS_MS_MAX)
  try {
    const found = await Promise.all(
      chains.map(async (chain) => {
        const check = `chain_${chain.paid.code}_has_what_came`
        const details = await checkHoldings(db, withNodes(chain, { client, clock: systemClock }), signal)
        return { check, findings: details.map((detail) => ({ check, detail })) }
      }),
    )
    return {
      checks: found.map(({ check }) => check),
      findings: found.flatMap(({ findings }) => findings),
    }
  } finally {
    await client.close()
  }
}

const CHAINS_MS_MAX = 600_000

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
