import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep, type Option, preselected, type Situation, type Step } from '../src/scenarios.ts'

const field = (name: string, required = false) => ({ name, required })
const TRANSFER: Option = {
  paymentMethodCode: 'BANK_TRANSFER',
  name: 'Bank transfer',
  flow: 'INSTRUCTIONS',
  paymentOperators: [],
  fields: [
    field('accountName', true),
    field('accountNumber'),
    field('emailAddress'),
    field('unheardOf', true),
  ],
}
const ONLINE: Option = {
  ...TRANSFER,
  paymentMethodCode: 'ONLINE_BANKING',
  name: 'Online banking',
  flow: 'REDIRECT',
  paymentOperators: [
    { code: 'ONE', name: 'Bank One' },
    { code: 'TWO', name: 'Bank Two' },
  ],
  fields: [field('paymentOperatorCode', true), field('accountName')],
}
const SITUATION: Situation = {
  options: [TRANSFER, ONLINE],
  fixed: undefined,
  optionsAvailable: false,
  allowCustomerDataChange: false,
  supplied: {},
  chosen: undefined,
  change: undefined,
}
const step = (more: Partial<Situation>): Step => nextStep(preselected({ ...SITUATION, ...more }))
const detailsOf = (found: Step) => (found.kind === 'DETAILS' ? found : assert.fail(`it is ${found.kind}`))
const askedIn = (found: Step) => detailsOf(found).asked.map(({ name }) => name)
const transfer = { methodCode: 'BANK_TRANSFER' }
const online = { methodCode: 'ONLINE_BANKING' }

test('scenario 1: the customer chooses a method, then what it needs is asked for', () => {
  assert.deepEqual(step({}), { kind: 'METHOD', current: undefined, isGone: false })
  const found = detailsOf(step({ chosen: transfer }))
  assert.deepEqual(askedIn(found), ['accountName', 'accountNumber', 'emailAddress'])
  assert.deepEqual(found.locked, [])
  assert.equal(found.mayChange, true)
})

test('a bank is chosen where there are several; the only one chooses itself', () => {
  assert.equal(step({ chosen: online }).kind, 'OPERATOR')
  const found = detailsOf(step({ chosen: { ...online, operatorCode: 'TWO' } }))
  assert.equal(found.operator?.name, 'Bank Two')
  const single = { ...ONLINE, paymentOperators: [{ code: 'ONE', name: 'Bank One' }] }
  assert.equal(detailsOf(step({ options: [TRANSFER, single], chosen: online })).operator?.code, 'ONE')
})

test('the only method chooses itself and cannot be changed', () => {
  const found = detailsOf(step({ options: [TRANSFER] }))
  assert.equal(found.mayChange, false)
  assert.equal(detailsOf(step({ options: [TRANSFER], change: 'METHOD' })).mayChange, false)
})

test('scenario 2: what the shop supplied is not asked for, and only what is missing and needed is', () => {
  const all = detailsOf(
    step({ chosen: transfer, supplied: { accountName: 'Ada', emailAddress: 'a@b.example' } }),
  )
  assert.deepEqual(all.asked, [])
  assert.deepEqual(all.locked, ['accountName', 'emailAddress'])
  const some = step({ chosen: transfer, supplied: { emailAddress: 'a@b.example' } })
  assert.deepEqual(askedIn(some), ['accountName'])
})

test('supplied data that the method does not take changes nothing', () => {
  const found = detailsOf(step({ chosen: transfer, supplied: { bankCode: 'X' } }))
  assert.deepEqual(askedIn(found), ['accountName', 'accountNumber', 'emailAddress'])
  assert.deepEqual(found.locked, [])
})

test('scenario 3: what the shop supplied may be changed, so all of it is asked for', () => {
  const supplied = { accountName: 'Ada', emailAddress: 'a@b.example' }
  const found = detailsOf(step({ chosen: transfer, supplied, allowCustomerDataChange: true }))
  assert.deepEqual(askedIn(found), ['accountName', 'accountNumber', 'emailAddress'])
  assert.deepEqual(found.locked, [])
})

test('scenario 4: a fixed method is not chosen, and stays whatever a form says', () => {
  const found = detailsOf(step({ fixed: transfer }))
  assert.equal(found.mayChange, false)
  assert.deepEqual(detailsOf(step({ fixed: transfer, chosen: online })).option, TRANSFER)
  assert.deepEqual(detailsOf(step({ fixed: transfer, change: 'METHOD' })).option, TRANSFER)
})

test('scenario 4: with the method alone fixed, the customer chooses the bank, and may do so again', () => {
  const asked = step({ fixed: online })
  assert.deepEqual(asked.kind === 'OPERATOR' && [asked.mayChange, asked.current], [false, undefined])
  const chosen = { ...online, operatorCode: 'ONE' }
  assert.equal(detailsOf(step({ fixed: online, chosen })).mayChange, true)
  assert.equal(step({ fixed: online, chosen, change: 'OPERATOR' }).kind, 'OPERATOR')
})

test('scenario 4: a fixed bank stays', () => {
  const fixed = { ...online, operatorCode: 'ONE' }
  const found = detailsOf(step({ fixed, chosen: { ...online, operatorCode: 'TWO' }, change: 'OPERATOR' }))
  assert.equal(found.operator?.code, 'ONE')
  assert.equal(found.mayChange, false)
})

test('H11: scenario 4: what is fixed and not to be had leaves nothing', () => {
  assert.equal(step({ fixed: { methodCode: 'NOWHERE' } }).kind, 'NONE')
  assert.equal(step({ fixed: { ...online, operatorCode: 'NOBODY' } }).kind, 'NONE')
})

test('a bank alone that is fixed preselects the method that has it', () => {
  const found = detailsOf(step({ fixedOperatorCode: 'TWO' }))
  assert.deepEqual([found.option, found.operator?.code, found.mayChange], [ONLINE, 'TWO', false])
  const kept = step({ fixedOperatorCode: 'TWO', chosen: { ...online, operatorCode: 'ONE' } })
  assert.equal(detailsOf(kept).operator?.code, 'TWO')
  assert.equal(step({ fixedOperatorCode: 'NOBODY' }).kind, 'NONE')
  assert.equal(step({ fixedOperatorCode: 'NOBODY', optionsAvailable: true }).kind, 'METHOD')
  const free = detailsOf(step({ fixedOperatorCode: 'TWO', optionsAvailable: true }))
  assert.deepEqual([free.operator?.code, free.mayChange], ['TWO', true])
})

test('a bank alone that several methods have leaves the choice of the method, and stays', () => {
  const instant = { ...ONLINE, paymentMethodCode: 'INSTANT' }
  const several = { options: [TRANSFER, ONLINE, instant], fixedOperatorCode: 'TWO' }
  const offered = preselected({ ...SITUATION, ...several }).options.map((each) => each.paymentMethodCode)
  assert.deepEqual(offered, ['ONLINE_BANKING', 'INSTANT'])
  assert.equal(step(several).kind, 'METHOD')
  const chosen = detailsOf(step({ ...several, chosen: { methodCode: 'INSTANT', operatorCode: 'ONE' } }))
  assert.deepEqual([chosen.option, chosen.operator?.code], [instant, 'TWO'])
  const other = step({ ...several, optionsAvailable: true, chosen: transfer })
  assert.equal(detailsOf(other).option, TRANSFER)
})

test('scenario 5: the fixed one is there already, and may be changed', () => {
  const fixed = { ...online, operatorCode: 'ONE' }
  const found = detailsOf(step({ fixed, optionsAvailable: true }))
  assert.deepEqual([found.operator?.code, found.mayChange], ['ONE', true])
  assert.deepEqual(step({ fixed, optionsAvailable: true, change: 'METHOD' }), {
    kind: 'METHOD',
    current: fixed,
    isGone: false,
  })
  assert.deepEqual(detailsOf(step({ fixed, optionsAvailable: true, chosen: transfer })).option, TRANSFER)
})

test('H11: scenario 5: what the shop suggests and cannot be had is said, and the rest can be chosen', () => {
  assert.deepEqual(step({ fixed: { methodCode: 'NOWHERE' }, optionsAvailable: true }), {
    kind: 'METHOD',
    current: undefined,
    isGone: true,
    gone: 'NOWHERE',
  })
  const gone = step({ fixed: { ...online, operatorCode: 'NOBODY' }, optionsAvailable: true })
  assert.deepEqual(gone.kind === 'OPERATOR' && gone.isGone, true)
})
