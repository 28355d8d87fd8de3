import { InstitutionListSchema, InstitutionSchema, type ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentText, wordsOf } from '../format.ts'
import { ApiRefusal, pathOf } from '../operator-api.ts'
import { chip, note, table } from '../parts.ts'
import type { Act, Visit } from '../visit.ts'
import { type Choice, input, select, textOf } from './catalogue/form.ts'

// Payment operators and rails: what the workers see of them, and what an operator says.

type Institution = ReadItem<typeof InstitutionListSchema>

/** Undefined for who may not see them. */
export async function institutionsPart(visit: Visit): Promise<Html | undefined> {
  if (!visit.may('institutions.read')) return undefined
  const { data } = await visit.api.get('/operator/institutions', InstitutionListSchema)
  const list =
    data.length === 0
      ? html`<p class="quiet">Every payment operator and rail has been operational, as far as payments showed.</p>`
      : institutionTable(visit, data)
  return html`<section class="section" aria-labelledby="h-i"><div class="bar"><h2 id="h-i">Payment operators and rails</h2><p>Those that were not always operational, or that an operator has set</p></div>${list}</section>
${visit.may('institutions.change') && sayPart(visit)}`
}

const DONE: Readonly<Record<string, string>> = {
  said: 'Set. What is closed takes no payments until it is cleared or its time is over.',
  cleared: 'Cleared: what the workers see counts again.',
}

export function institutionsDone({ query }: Visit): Html | undefined {
  const words = DONE[query.get('done') ?? '']
  return words === undefined ? undefined : note('good', words)
}

function institutionTable(visit: Visit, data: readonly Institution[]): Html {
  const mayChange = visit.may('institutions.change')
  return table(
    'Payment operators and rails',
    [
      { name: 'Institution' },
      { name: 'State' },
      { name: 'Answers of five minutes', style: 'hide-sm' },
      { name: 'Seen by the workers', style: 'hide-sm' },
      { name: 'Set by' },
      ...(mayChange ? [{ name: 'Change', style: 'n' }] : []),
    ],
    data.map((each): readonly HtmlValue[] => [
      html`<span class="code">${each.code}</span><span class="sub">${each.type === 'RAIL' ? 'rail' : 'payment operator'}, ${each.direction === 'PAYIN' ? 'payins' : 'payouts'}</span>`,
      stateChip(each.availability),
      talks(each),
      html`${wordsOf(each.observed)}<span class="sub">since ${momentText(each.observedSince)}</span>`,
      said(each),
      ...(mayChange ? [clearForm(visit, each)] : []),
    ]),
  )
}

function stateChip(availability: string): Html {
  if (availability === 'OPERATIONAL') return chip('good', 'check', 'Operational')
  return availability === 'CLOSED' ? chip('bad', 'x', 'Closed') : chip('warn', 'clock', wordsOf(availability))
}

const talks = ({ answered, unanswered }: Institution): Html =>
  answered + unanswered === 0
    ? html`<span class="quiet">none was asked for</span>`
    : html`${answered} of ${answered + unanswered}`

function said({ said: word }: Institution): HtmlValue {
  if (word === undefined) return html`<span class="quiet">the workers</span>`
  const until = word.until === undefined ? 'until it is cleared' : `until ${momentText(word.until)}`
  return html`${word.operatorCode}: ${word.reason}<span class="sub">since ${momentText(word.since)}, ${until}</span>`
}

function clearForm({ formToken }: Visit, { type, code, direction, said: word }: Institution): HtmlValue {
  if (word === undefined) return undefined
  return html`<form method="post" action="/health/clear">${formToken}${hidden({ type, code, direction })}<button class="btn">Clear<span class="vh"> ${code}</span></button></form>`
}

const hidden = (values: Readonly<Record<string, string>>): readonly Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

const TYPES: readonly Choice[] = [
  ['OPERATOR', 'Payment operator'],
  ['RAIL', 'Rail'],
]
const DIRECTIONS: readonly Choice[] = [
  ['PAYIN', 'Payins and top-ups'],
  ['PAYOUT', 'Payouts and settlements'],
]
const STATES: readonly Choice[] = [
  ['CLOSED', 'Closed: takes no payments'],
  ['DELAYED', 'Delayed: takes them, slower than usual'],
  ['OPERATIONAL', 'Operational'],
]

function sayPart(visit: Visit): Html {
  const value = (name: string): string => visit.query.get(name) ?? ''
  return html`<section class="section panel" id="say" aria-labelledby="h-say"><h2 id="h-say">Close or open a payment operator or rail</h2><div class="panel-body"><form method="post" action="/health/say">${visit.formToken}<div class="fields">${select(visit, { name: 'type', label: 'What', value: value('type'), choices: TYPES })}${input(visit, { name: 'code', label: 'Code', value: value('code'), isRequired: true, hint: 'As the catalogue has it' })}${select(visit, { name: 'direction', label: 'Direction', value: value('direction'), choices: DIRECTIONS })}${select(visit, { name: 'availability', label: 'State', value: value('availability'), choices: STATES })}${input(visit, { name: 'minutes', label: 'For minutes', hint: 'Empty: until it is cleared' })}${input(visit, { name: 'reason', label: 'Reason', isRequired: true, isWide: true, hint: 'For the other operators' })}</div><p class="acts form-acts"><button class="btn btn-main">Set the state</button><span class="hint">It counts whatever the workers see.</span></p></form></div></section>`
}

const pathFor = (form: URLSearchParams): string => {
  const code = (form.get('code') ?? '').trim()
  return pathOf`/operator/institutions/${form.get('type') ?? ''}/${code}/${form.get('direction') ?? ''}`
}

/** An outage, or its end, said by a person. */
export const sayAct: Act = {
  permission: 'institutions.change',
  async perform({ api }, form) {
    const minutes = textOf(form, 'minutes')
    if (minutes !== undefined && !/^\d{1,6}$/.test(minutes))
      throw new ApiRefusal(400, {
        code: 'ATTRIBUTE_VALUE_INVALID',
        message: `minutes: ${JSON.stringify(minutes)} is not a whole number.`,
      })
    await api.put(pathFor(form), InstitutionSchema, {
      body: {
        availability: form.get('availability') ?? '',
        reason: textOf(form, 'reason') ?? '',
        ...(minutes !== undefined && { minutes: Number(minutes) }),
      },
    })
    return 'said'
  },
}

/** Lets the workers see for themselves again. */
export const clearAct: Act = {
  permission: 'institutions.change',
  async perform({ api }, form) {
    await api.clear(pathFor(form))
    return 'cleared'
  },
}
