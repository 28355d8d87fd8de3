/** What came in, as the bank books it. */
interface Credit {
  readonly amount: string
  readonly reference: string
  readonly payerName: string
  readonly payerIban: string
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'

/** A bank's statement of one day, with opening and closing balance, as an account in EUR would have it. */
export function camtStatement(iban: string, credits: readonly Credit[]): string {
  const day = new Date().toISOString().slice(0, 10)
  const cents = credits.reduce((sum, { amount }) => sum + toCents(amount), 0n)
  const balance = (code: string, value: bigint): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${fromCents(value)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>
<GrpHdr><MsgId>MSG-${day}</MsgId><CreDtTm>${day}T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>STMT-${day}</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>${day}T20:00:00Z</CreDtTm>
<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
${balance('OPBD', 1_000_00n)}
${balance('CLBD', 1_000_00n + cents)}
${credits.map((credit, index) => entry(credit, index + 1, day)).join('\n')}
</Stmt></BkToCstmrStmt></Document>
`
}

function entry({ amount, reference, payerName, payerIban }: Credit, number: number, day: string): string {
  return `<Ntry><NtryRef>${number}</NtryRef><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>BANK-${day}-${number}</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<RltdPties><Dbtr><Pty><Nm>${payerName}</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>${payerIban}</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
}

const CENTS = 100n

function toCents(amount: string): bigint {
  const [whole = '0', cents = ''] = amount.split('.')
  return BigInt(whole) * CENTS + BigInt(cents.padEnd(2, '0'))
}

function fromCents(cents: bigint): string {
  return `${cents / CENTS}.${String(cents % CENTS).padStart(2, '0')}`
}
