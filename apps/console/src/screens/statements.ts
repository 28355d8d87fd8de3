import {
  BankAccountListSchema,
  type Read,
  type ReadItem,
  StatementFileListSchema,
  StatementTakenSchema,
  WaitingSchema,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { Type } from 'typebox'
import { dayText, momentHtml, moneyHtml, plural } from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, empty, note, pager, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'
import { bankViews, requireFile } from './bank-views.ts'
import { actorName, bankDay } from './line-words.ts'

type File = ReadItem<typeof StatementFileListSchema>
type Taken = Read<typeof StatementTakenSchema>

const PATH = '/statements'
const LIMIT = '50'

/** Statements that were imported, with their balances and what was strange about them. */
export const statementsScreen: Screen = {
  path: PATH,
  permission: 'statements.read',
  show: (visit) => list(visit, undefined),
}

async function list(visit: Visit, said: Html | undefined): Promise<Page> {
  const cursor = visit.query.get('cursor') ?? undefined
  const files = await visit.api.get('/operator/statements', StatementFileListSchema, { cursor, limit: LIMIT })
  const button = visit.may('statements.take')
    ? html`<div class="acts"><a class="btn btn-main" href="${PATH}/import">${icon('in')}Import a statement</a></div>`
    : undefined
  return {
    title: 'Statements',
    nav: 'Bank files',
    content: html`<div class="head"><h1>Statements</h1><p>What banks say arrived and left</p>${button}</div>
${bankViews(visit, 'Statements')}
${said}${fileTable(visit, files)}`,
  }
}

function fileTable({ query, may }: Visit, { data, nextCursor }: Read<typeof StatementFileListSchema>): Html {
  if (data.length === 0)
    return empty('audit', 'No statements', {
      says: 'Import one, or let your bank’s channel put them into the watched folder.',
      acts: may('statements.take') && html`<a class="btn" href="${PATH}/import">Import a statement</a>`,
    })
  const columns = [
    { name: 'File' },
    { name: 'Account', style: 'hide-sm' },
    { name: 'Opening', style: 'n hide-md' },
    { name: 'Closing', style: 'n' },
    { name: 'New lines', style: 'n' },
    { name: 'Known', style: 'n hide-md' },
    { name: 'Pending', style: 'n hide-md' },
    { name: 'By', style: 'hide-sm' },
    { name: 'Received, UTC', style: 'n hide-sm' },
  ]
  const says = `${plural(data.length, 'file')}, the newest first`
  return html`${table('Statements, the newest first', columns, data.map(row))}${pager({ path: PATH, query, nextCursor, says })}`
}

function row(file: File): readonly HtmlValue[] {
  const { fileName, format, accountCodes, takenBy, confirmedBy, receivedAt, balances } = file
  const by = [takenBy, confirmedBy].filter((each) => each !== undefined).map(actorName)
  return [
    html`<b>${fileName}</b><span class="sub">${FORMATS[format] ?? format}<span class="only-sm">, ${accountCodes.join(' ')}, ${dayText(receivedAt)}</span></span>${warningsOf(file)}`,
    html`<span class="code">${accountCodes.join(' ')}</span>`,
    balances.map(({ opening, openedOn }) => balance(opening, openedOn)),
    balances.map(
      ({ closing, closedOn, addsUp }) =>
        html`${balance(closing, closedOn)}${!addsUp && chip('warn', 'alert', 'Does not add up')}`,
    ),
    String(file.lineCount),
    html`<span class="quiet">${file.knownCount}</span>`,
    html`<span class="quiet">${file.pendingCount}</span>`,
    by.join(', '),
    html`<span class="quiet">${momentHtml(receivedAt)}</span>`,
  ]
}

const FORMATS: Readonly<Record<string, string>> = { CAMT_053: 'camt.053', CAMT_054: 'camt.054' }

const balance = (money: File['balances'][number]['opening'], day: string | undefined): Html =>
  html`<span class="pair">${moneyHtml(money)}${day !== undefined && html`<span class="sub">${dayText(bankDay(day))}</span>`}</span>`

const warningsOf = ({ warnings }: File): Html | undefined =>
  warnings.length === 0
    ? undefined
    : html`<details class="more"><summary>${plural(warnings.length, 'warning')}</summary><ul class="stack-s">${warnings.map((text) => html`<li>${text}</li>`)}</ul></details>`

/** The form of a file that operators have from a bank. */
export const importScreen: Screen = {
  path: `${PATH}/import`,
  permission: 'statements.take',
  show: importPage,
  acts: {
    take: {
      permission: 'statements.take',
      takesFile: true,
      async perform(visit, form, given) {
        const file = requireFile(given)
        const typed = (name: string): string | undefined => form.get(name)?.trim() || undefined
        const answer = await visit.api.upload('/operator/statements', AnswerSchema, {
          file: file.bytes,
          query: {
            fileName: file.name,
            account: typed('account'),
            encoding: typed('encoding'),
            mapping: typed('mapping'),
            strict: form.get('strict') === 'true' ? 'true' : undefined,
          },
        })
        if (answer.waiting !== undefined)
          return { goTo: `${pathOf`/confirmations/${answer.waiting.confirmationId}`}?done=waits` }
        return list(visit, takenNote(file.name, answer))
      },
    },
  },
}

/** What was taken, or what waits for a second operator. */
const AnswerSchema = Type.Object({
  ...Type.Partial(StatementTakenSchema).properties,
  waiting: Type.Optional(WaitingSchema.properties.waiting),
})

function takenNote(
  name: string,
  { result, fileId, statements = [], warnings = [], looked = 0, matched = 0 }: Partial<Taken>,
): Html {
  if (result === 'KNOWN')
    return note('info', html`<b>${name} was imported before</b>, as file ${fileId}. Nothing was done.`)
  const parts = statements.map(
    ({ label, accountCode, lineCount, knownCount, pendingCount }) =>
      html`<li>${label} of <span class="code">${accountCode}</span>: ${plural(lineCount, 'new line')}, ${knownCount} known, ${pendingCount} pending</li>`,
  )
  const open = looked - matched
  return html`${note('good', html`<b>${name} was imported.</b> ${matched} of ${plural(looked, 'new line')} matched.${open > 0 && html` <a href="/suspense">${plural(open, 'line waits', 'lines wait')} in suspense</a>.`}`)}
${warnings.map((text) => note('warn', text))}
<ul class="stack-s taken">${parts}</ul>`
}

async function importPage(visit: Visit): Promise<Page> {
  const { formToken, refused, path } = visit
  const typed = (name: string): string => refused?.form.get(name) ?? ''
  const accounts = visit.may('bank-accounts.read') ? await accountChoices(visit) : undefined
  const again = refused !== undefined && note('warn', 'Choose the file again: browsers do not keep it.')
  const isMore = ['encoding', 'mapping', 'strict'].some((name) => typed(name) !== '')
  return {
    title: 'Import a statement',
    nav: 'Bank files',
    content: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${PATH}">Statements</a>${icon('right')}<span aria-current="page">Import</span></nav>
<div class="head"><h1>Import a statement</h1></div>
${refusedNote(visit)}${again}
<form class="panel sheet-form" method="post" enctype="multipart/form-data" action="${path}/take"><div class="panel-body">${formToken}
<label class="field"><span>File</span><input class="input" type="file" name="file" required><small>camt.053, camt.054, MT940 or CSV, at most 16 MiB. It is taken as a whole or not at all; a file that was taken before changes nothing.</small></label>
${accountField(accounts, typed('account'))}
<details class="more more-pay"${isMore && html` open`}><summary>Encoding, CSV and strictness</summary><div class="fields"><label class="field"><span>Encoding</span><input class="input" name="encoding" value="${typed('encoding')}" maxlength="40" autocomplete="off" list="encodings"><small>Where the file does not say it: cp850, windows-1250. Empty: UTF-8 if it is that, else windows-1252.</small></label><datalist id="encodings">${ENCODINGS.map((each) => html`<option value="${each}"></option>`)}</datalist><label class="field"><span>CSV mapping</span><textarea class="input code" name="mapping" rows="6" maxlength="4096" spellcheck="false" autocomplete="off">${typed('mapping')}</textarea><small>JSON: what is in which column. The guide to statements has every member.</small></label><label class="tick-line"><input type="checkbox" name="strict" value="true"${typed('strict') === 'true' && html` checked`}> Refuse the file if its sums do not agree</label></div></details></div>
<div class="panel-foot acts"><button class="btn btn-main btn-mid">${icon('in')}Import</button><a class="btn btn-mid" href="${PATH}">Cancel</a><span class="hint grow">Where a second operator is needed, nothing follows until they confirm it.</span></div></form>`,
  }
}

const ENCODINGS = ['utf-8', 'windows-1250', 'windows-1251', 'windows-1252', 'iso-8859-2', 'cp850', 'cp852']

async function accountChoices({ api }: Visit): Promise<readonly string[]> {
  const { data } = await api.get('/operator/bank-accounts', BankAccountListSchema)
  return data.map(({ code }) => code)
}

function accountField(codes: readonly string[] | undefined, typed: string): Html {
  const hint = html`<small>For a statement that names none of your accounts.</small>`
  if (codes === undefined)
    return html`<label class="field"><span>Your account</span><input class="input" name="account" value="${typed}" maxlength="32" autocomplete="off">${hint}</label>`
  return html`<label class="field"><span>Your account</span><select class="input" name="account"><option value="">As the statement says</option>${codes.map((code) => html`<option value="${code}"${code === typed && html` selected`}>${code}</option>`)}</select>${hint}</label>`
}
