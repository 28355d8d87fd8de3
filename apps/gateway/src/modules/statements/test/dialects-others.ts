import type { Dialect } from './dialects.ts'

// Written for these tests after the format descriptions that the banks publish; no account and no person is real.

const camt = (message: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">${body}</Document>`
const HEAD = '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T06:00:00</CreDtTm></GrpHdr>'

export const CAMT_DIALECTS: readonly Dialect[] = [
  {
    bank: 'Deutsche Kreditwirtschaft (camt.054)',
    peculiarity: 'no booking date and no value date: the day of the settlement between the banks is taken',
    file: camt(
      'camt.054.001.02',
      `<BkToCstmrDbtCdtNtfctn>${HEAD}<Ntfctn><Id>N1</Id><CreDtTm>2026-11-20T06:00:00</CreDtTm><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><AcctSvcrRef>NONREF</AcctSvcrRef><BkTxCd/>
<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties><Dbtr><Nm>Erika Muster</Nm></Dbtr></RltdPties><RmtInf><Ustrd>7Q2M8KX4ZC0D</Ustrd></RmtInf><RltdDts><IntrBkSttlmDt>2026-11-19</IntrBkSttlmDt></RltdDts></TxDtls></NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn>`,
    ),
    entries: [['12.5', '2026-11-19', '', 'Erika Muster', '', '', '7Q2M8KX4ZC0D']],
    warnings: [/Ntry has no booking date .* 2026-11-19 is taken for it/],
  },
  {
    bank: 'UBS (camt.053)',
    peculiarity:
      'the account by a number of old, with the currency behind it; only an available balance says the currency',
    file: camt(
      'camt.053.001.04',
      `<BkToCstmrStmt>${HEAD}<Stmt><Id>S1</Id><CreDtTm>2026-11-20T06:00:00</CreDtTm><Acct><Id><Othr><Id>0230 00123456.01N</Id></Othr></Id></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLAV</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">7.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal></Stmt></BkToCstmrStmt>`,
    ),
    entries: [],
    accounts: ['0230 00123456.01N CHF'],
  },
  {
    bank: 'Nordea (camt.053)',
    peculiarity:
      'several accounts in one message, one of them by its domestic number with the currency behind it',
    file: camt(
      'camt.053.001.02',
      `<BkToCstmrStmt>${HEAD}${['<IBAN>FI2112345600000785</IBAN>', '<Othr><Id>12345600000785EUR</Id></Othr>']
        .map(
          (id, index) =>
            `<Stmt><Id>S${index}</Id><CreDtTm>2026-11-20T06:00:00</CreDtTm><Acct><Id>${id}</Id><Ccy>EUR</Ccy></Acct><Ntry><Amt Ccy="EUR">${index + 1}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>R${index}</AcctSvcrRef><BkTxCd/></Ntry></Stmt>`,
        )
        .join('')}</BkToCstmrStmt>`,
    ),
    entries: [
      ['1', '2026-11-20', 'R0', '', '', '', ''],
      ['2', '2026-11-20', 'R1', '', '', '', ''],
    ],
    accounts: ['FI2112345600000785 EUR', '12345600000785 EUR'],
  },
]

export const CSV_DIALECTS: readonly Dialect[] = [
  {
    bank: 'Fio',
    peculiarity:
      'lines before the header, ";" and a decimal comma, symbols with leading zeros, cells in quotation marks',
    file: `"accountId";"2600500001"\n"currency";"CZK"\n\n"ID pohybu";"Datum";"Objem";"Měna";"Protiúčet";"Název protiúčtu";"VS";"Zpráva pro příjemce"\n"26932010111";"20.11.2026";"1 250,50";"CZK";"2000145399";"Nová, Jana";"0000000042";"za ""zboží"""\n`,
    mapping: {
      delimiter: ';',
      linesSkipped: 3,
      decimalSign: ',',
      thousandsSign: ' ',
      dateFormat: 'DD.MM.YYYY',
      account: '2600500001/2010',
      columns: {
        bookedOn: 'Datum',
        amount: 'Objem',
        currencyCode: 'Měna',
        bankReference: 'ID pohybu',
        partyAccount: 'Protiúčet',
        partyName: 'Název protiúčtu',
        variableSymbol: 'VS',
        texts: ['Zpráva pro příjemce'],
      },
    },
    entries: [['1250.5', '2026-11-20', '26932010111', 'Nová, Jana', '2000145399', '', 'za "zboží"']],
    symbols: ['42', '', ''],
  },
  {
    bank: 'Revolut Business',
    peculiarity: 'several currencies in one file, a state beside each line, moments instead of days',
    file: `Date completed (UTC),ID,State,Description,Reference,Payer,Amount,Payment currency\n2026-11-20 10:11:12,rv-1,COMPLETED,Money added from ACME,7Q2M8KX4ZC0D,ACME Ltd,100.00,EUR\n2026-11-20 11:00:00,rv-2,PENDING,Card,,,-5.00,EUR\n2026-11-20 12:00:00,rv-3,COMPLETED,To supplier,,,-20.00,GBP\n`,
    mapping: {
      account: 'REVOLUT-MAIN',
      bookedWords: ['COMPLETED'],
      columns: {
        bookedOn: 1,
        bankReference: 'ID',
        status: 'State',
        texts: ['Reference', 'Description'],
        partyName: 'Payer',
        amount: 'Amount',
        currencyCode: 'Payment currency',
      },
    },
    entries: [
      ['100', '2026-11-20', 'rv-1', 'ACME Ltd', '', '', '7Q2M8KX4ZC0D'],
      ['-20', '2026-11-20', 'rv-3', '', '', '', 'To supplier'],
    ],
    accounts: ['REVOLUT-MAIN EUR', 'REVOLUT-MAIN GBP'],
  },
  {
    bank: 'Wise',
    peculiarity: 'days first, a reference that is none, the value date on 30 February, lines of 0.00',
    file: `TransferWise ID,Date,Amount,Currency,Payment Reference,Payer Name,Value\nTRANSFER-1,20-11-2026,55.10,EUR,NOT PROVIDED,Jane Doe,20-11-2026\nNONREF,20-11-2026,1.00,EUR,x,Jane Doe,30-02-2027\nTRANSFER-2,20-11-2026,0.00,EUR,x,Jane Doe,20-11-2026\n`,
    mapping: {
      dateFormat: 'DD-MM-YYYY',
      account: 'BE68539007547034',
      columns: {
        bookedOn: 'Date',
        valuedOn: 'Value',
        amount: 'Amount',
        currencyCode: 'Currency',
        bankReference: 'TransferWise ID',
        endToEndId: 'Payment Reference',
        partyName: 'Payer Name',
      },
    },
    entries: [
      ['55.1', '2026-11-20', 'TRANSFER-1', 'Jane Doe', '', '', ''],
      ['1', '2026-11-20', '', 'Jane Doe', '', 'x', ''],
    ],
    warnings: [
      /line 3: the value date "30-02-2027" is no day of the calendar; 2027-02-28/,
      /line 4 moves no money/,
    ],
  },
]
