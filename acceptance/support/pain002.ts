/** A bank's status report (pain.002) about a file: one line per payment, by its reference. */
export function statusReport(
  fileId: string,
  lines: readonly (readonly [reference: string, status: string, reason?: string])[],
): string {
  const written = lines.map(([reference, status, reason]) => {
    const why = reason === undefined ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>`
    return `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>${why}</TxInfAndSts>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
<GrpHdr><MsgId>BANK-${fileId}</MsgId><CreDtTm>2026-11-21T12:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${fileId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${fileId}-1</OrgnlPmtInfId>${written.join('')}</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>`
}
