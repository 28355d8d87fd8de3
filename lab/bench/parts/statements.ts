import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@tollgate/testkit'
import { API_VERSION } from '../../rig/gateway.ts'
import { median } from '../../rig/statistics.ts'
import { figure } from '../../rig/table.ts'
import type { Bench } from '../bench.ts'
import { LoadFailed } from '../load/drive.ts'

/** Bookings of the file. */
const ENTRIES = 20_000
const ROWS_AT_ONCE = 200
const IBAN = 'DE93999999990000000001'

/** What taking a statement of 20,000 bookings costs, beside the same number of bare rows in the same database. */
export async function measureStatements(bench: Bench): Promise<void> {
  const port = await freePort()
  const gateway = await bench.startGateway({
    name: 'tollgate serve, statements',
    settings: { TOLLGATE_OPERATOR_PORT: String(port) },
  })
  const key = readFileSync(join(bench.server.dataDir, 'demo', 'operator-ada.key'), 'utf8').trim()
  await bench.server.sql(
    'create table if not exists bare_lines (id bigint generated always as identity primary key, reference text, amount numeric, said text)',
  )
  const seconds: number[] = []
  const bare: number[] = []
  const importers = watchImporters(gateway.program.pid)
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    seconds.push(await timed(() => handIn(port, key, camt(round))))
    bare.push(await timed(() => insertBare(bench, round)))
    bench.say(
      `round ${round}  a statement of ${ENTRIES} bookings ${figure(seconds.at(-1) ?? 0)} s  as many bare rows ${figure(bare.at(-1) ?? 0)} s`,
    )
  }
  const importer = importers.stop()
  const ratio = median(seconds.map((each, index) => each / (bare[index] ?? each)))
  bench.say(
    `\nA statement of ${ENTRIES} bookings is taken and matched in ${figure(median(seconds))} s, ${figure(ratio)} times as long as as many bare rows. The process that imports had at most ${inMib(importer)}, the API ${inMib(peakKib(gateway.program.pid))}.`,
  )
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}

async function handIn(port: number, key: string, body: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/operator/statements?fileName=bench.xml`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'x-api-version': API_VERSION,
      'content-type': 'application/xml',
    },
    body,
  })
  const text = await response.text()
  if (response.status !== 200) throw new LoadFailed(`the statement was not taken: ${response.status} ${text}`)
}

async function insertBare({ server }: Bench, round: number): Promise<void> {
  for (let from = 0; from < ENTRIES; from += ROWS_AT_ONCE) {
    const numbers = Array.from({ length: ROWS_AT_ONCE }, (_, index) => from + index)
    await server.sql(
      'insert into bare_lines (reference, amount, said) select * from unnest($1::text[], $2::numeric[], $3::text[])',
      [numbers.map((number) => `B${round}-${number}`), numbers.map(() => '10.00'), numbers.map(saidOf)],
    )
  }
}

const saidOf = (number: number): string => `Rechnung Nr ${number} vom 20.11. Vielen Dank und viele Gruesse`

function camt(round: number): string {
  const entries = Array.from(
    { length: ENTRIES },
    (_, number) =>
      `<Ntry><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>B${round}-${number}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E${round}-${number}</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>Jana Novakova</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>${saidOf(number)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  )
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M${round}</MsgId><CreDtTm>2026-11-20T06:00:00Z</CreDtTm></GrpHdr><Stmt><Id>S${round}</Id><Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
}

const LOOK_MS = 20

/** Looks at the processes that the gateway starts: the kernel forgets what they had when they end. */
function watchImporters(pid: number): { stop(): number | undefined } {
  let most: number | undefined
  const look = (): void => {
    for (const child of childrenOf(pid)) {
      if (!commandOf(child).includes('importer.ts')) continue
      most = Math.max(most ?? 0, peakKib(child) ?? 0)
    }
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

function childrenOf(pid: number): readonly number[] {
  return tasksOf(pid).flatMap((task) =>
    textOf(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
}

const tasksOf = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

const commandOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`)

/** The most that a process had in memory; the kernel of Linux says it. */
function peakKib(pid: number): number | undefined {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`)) ?? []
  return kib === undefined ? undefined : Number(kib)
}

/** Nothing, where there is no such file. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

const inMib = (kib: number | undefined): string =>
  kib === undefined ? 'an amount of memory that only Linux tells' : `${Math.round(kib / 1024)} MiB`
