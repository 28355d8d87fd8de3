import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bareView } from '../src/drawing.ts'
import { createTexts } from '../src/messages/index.ts'
import type { Choice } from '../src/records.ts'
import { chooseMethod } from '../src/screens/choose.ts'
import { chooseOperator } from '../src/screens/choose-operator.ts'
import { methodIcon, monogramTile, TILES } from '../src/screens/icons.ts'
import type { View } from '../src/screens/view.ts'

const GZIP_BYTES_MAX = 14 * 1024
const ICON_BYTES_MAX = 600
const BANKS = 60

const view: View = {
  ...bareView({ isLive: true, clock: { nowMs: () => 0 } }, createTexts('en')),
  base: '/p/x',
  money: { amount: '149.90', currencyCode: 'EUR' },
}
const option = {
  paymentMethodCode: 'ONLINE_BANKING',
  name: 'Online banking',
  flow: 'REDIRECT',
  fields: [],
  paymentOperators: ['Żubr Bank', 'Acorn', 'Česká lípa', 'Zebra', 'Älvan', 'Dune', 'Fjord'].map(
    (name, at) => ({
      code: `OPERATOR_${at}`,
      name,
    }),
  ),
}
type Known = Choice['operators'][number]
const known = (operators: readonly Known[]): Choice => ({
  paymentMethodCode: 'ONLINE_BANKING',
  name: 'Online banking',
  flow: 'REDIRECT',
  availability: 'OPERATIONAL',
  operators: [...operators],
})
/** In Czech, `Č` is a letter of its own, after `C`. */
const twoCs = {
  ...option,
  paymentOperators: ['Čaj', 'Cukr', 'Banka'].map((name) => ({ code: name, name })),
}
const asked = {
  option,
  known: undefined,
  current: undefined,
  isGone: false,
  mayChange: false,
}
const namesIn = (html: string): readonly string[] =>
  [...html.matchAll(/choice__name">([^<]*)/g)].map(([, name = '']) => name)
const groupsIn = (html: string): readonly (readonly [string, readonly string[]])[] =>
  html
    .split('<section')
    .slice(1)
    .map((part) => [/<h2>([^<]*)/.exec(part)?.[1] ?? '', namesIn(part)])

test('banks that nothing is known of are listed as the alphabet of the reader has them, without headings', () => {
  const { text } = chooseOperator(view, asked).content
  assert.deepEqual(groupsIn(text), [
    ['', ['Acorn', 'Älvan', 'Česká lípa', 'Dune', 'Fjord', 'Zebra', 'Żubr Bank']],
  ])
  const czech = { ...view, texts: createTexts('cs') }
  const [, charles] = namesIn(chooseOperator(czech, { ...asked, option: twoCs }).content.text)
  assert.equal(charles, 'Cukr')
})

test('the most used banks come first by their rank, closed ones last, disabled and with the reason', () => {
  const { text } = chooseOperator(view, {
    ...asked,
    known: known([
      { code: 'OPERATOR_3', name: 'Zebra', availability: 'OPERATIONAL', popularRank: 1 },
      { code: 'OPERATOR_1', name: 'Acorn', availability: 'DELAYED', popularRank: 9 },
      { code: 'SHUT', name: 'Shut Bank', availability: 'CLOSED', popularRank: 2 },
      { code: 'OTHER', name: 'Without a rate', availability: 'OPERATIONAL' },
    ]),
  }).content
  assert.deepEqual(groupsIn(text), [
    ['Most used', ['Zebra', 'Acorn']],
    ['Other banks', ['Älvan', 'Česká lípa', 'Dune', 'Fjord', 'Żubr Bank']],
    ['Temporarily unavailable', ['Shut Bank']],
  ])
  const [shut = ''] = /<li[^>]*>(?:(?!<li).)*Shut Bank.*?<\/li>/s.exec(text) ?? []
  assert.match(shut, /<button type="submit"[^>]* disabled>/)
  assert.match(shut, /Not available right now/)
  assert.match(text, /Acorn<\/span> <span class="choice__note">Slower than usual right now/)
})

test('a bank that is offered can be chosen, whatever else is said of it', () => {
  const closed: Known = { code: 'OPERATOR_1', name: 'Acorn', availability: 'CLOSED' }
  const { text } = chooseOperator(view, { ...asked, known: known([closed]) }).content
  assert.doesNotMatch(text, / disabled/)
  assert.equal(namesIn(text).length, option.paymentOperators.length)
})

test('no more than six banks are the most used', () => {
  const ranked = option.paymentOperators.map(({ code, name }, at) => ({
    code,
    name,
    availability: 'OPERATIONAL',
    popularRank: at + 1,
  }))
  const [first, second] = groupsIn(chooseOperator(view, { ...asked, known: known(ranked) }).content.text)
  assert.equal(first?.[1].length, 6)
  assert.equal(second?.[1].length, 1)
})

test('a bank is found by its name, its other names, its BIC and its code', () => {
  const acorn = { code: 'OPERATOR_1', name: 'Acorn', availability: 'OPERATIONAL', bic: 'ACORDEFF' }
  const aliases = ['Oak & Sons']
  const { text } = chooseOperator(view, { ...asked, known: known([{ ...acorn, aliases }]) }).content
  assert.match(text, /data-filter-item="Acorn Oak &amp; Sons ACORDEFF OPERATOR 1"/)
  assert.match(text, /aria-describedby="search-hint"/)
  assert.doesNotMatch(chooseOperator(view, asked).content.text, /search-hint/)
})

test('a few banks are one short list, without a search', () => {
  const few = { ...option, paymentOperators: option.paymentOperators.slice(0, 3) }
  const shut: Known = { code: 'SHUT', name: 'Aaa', availability: 'CLOSED' }
  const { text } = chooseOperator(view, { ...asked, option: few, known: known([shut]) }).content
  assert.deepEqual(namesIn(text), ['Acorn', 'Česká lípa', 'Żubr Bank', 'Aaa'])
  assert.doesNotMatch(text, /data-filter|<section|<h2/)
})

test('a method says how it is paid and how soon, and is chosen by one press; closed ones come last', () => {
  const closed = { ...known([]), paymentMethodCode: 'PIX', flow: 'QR', availability: 'CLOSED' }
  const choices = [
    { ...known([]), speed: 'INSTANT' },
    closed,
    { ...closed, paymentMethodCode: 'NEW', availability: 'OPERATIONAL' },
  ]
  const { text } = chooseMethod(view, {
    options: [option],
    choices,
    current: undefined,
    isGone: false,
    gone: undefined,
  }).content
  assert.match(text, /<button type="submit" name="methodCode" value="ONLINE_BANKING">/)
  assert.match(text, /bank or wallet\.<\/span> <span class="choice__speed choice__speed--now">Instant</)
  assert.deepEqual(namesIn(text), ['Online banking', 'Pix'])
  assert.match(text, /value="PIX" disabled>.*Not available right now/s)
})

test('a method whose limit of today is reached says so, and why it is gone when it was chosen', () => {
  const usedUp = { ...known([]), paymentMethodCode: 'PIX', flow: 'QR', isUsedUp: true }
  const asked = { options: [option], choices: [usedUp], current: undefined }
  const shown = chooseMethod(view, { ...asked, isGone: false, gone: undefined }).content.text
  assert.match(shown, /value="PIX" disabled>.*Daily limit reached/s)
  assert.doesNotMatch(shown, /notice/)
  const { text } = chooseMethod(view, { ...asked, isGone: true, gone: 'PIX' }).content
  assert.match(text, /notice--warning"><p>Today’s limit for \S*Pix\S* has been reached\./)
  const other = chooseMethod(view, { ...asked, isGone: true, gone: 'UPI' }).content.text
  assert.match(other, /suggested payment method is not available/)
})

test('sixty banks with all that is known of them make a small page', () => {
  const operators = Array.from({ length: BANKS }, (_, at) => {
    const word = (at * 2_654_435_761).toString(36)
    const code = `${word.toUpperCase()}_BANK`
    return {
      code,
      name: `${word} Bank of ${word.slice(2)}`,
      availability: 'OPERATIONAL',
      popularRank: at + 1,
      bic: `${word.slice(0, 4).toUpperCase()}DEFF`,
      aliases: [word.slice(0, 3)],
    }
  })
  const many = { ...option, paymentOperators: operators.map(({ code, name }) => ({ code, name })) }
  const { text } = chooseOperator(view, { ...asked, option: many, known: known(operators) }).content
  assert.ok(gzipSync(text).length <= GZIP_BYTES_MAX / 2, `${gzipSync(text).length}`)
})

test('every icon is small, in the colour of the text, and unheard', () => {
  const codes = [
    'BANK_TRANSFER',
    'ONLINE_BANKING',
    'WALLET',
    'UPI',
    'PIX',
    'OFFLINE_TRANSFER',
    'CRYPTO',
    'CARD',
  ]
  const flows = ['REDIRECT', 'INSTRUCTIONS', 'QR', 'REFERENCE', 'SOMETHING_NEW']
  const icons = [...codes, 'MOBILE_MONEY'].map((code) => methodIcon(code, 'QR').text)
  for (const icon of [...icons, ...flows.map((flow) => methodIcon('NEW', flow).text)]) {
    assert.ok(Buffer.byteLength(icon) < ICON_BYTES_MAX, icon)
    assert.match(icon, /^<svg [^>]*aria-hidden="true">/)
    assert.doesNotMatch(icon, /#|style|fill=|href/)
  }
  assert.equal(new Set(icons).size, icons.length - 1)
})

test('the tile of an operator has its first letters, and the same colour every time', () => {
  const lettersOf = (name: string): string => />([^<]*)</.exec(monogramTile('X', name).text)?.[1] ?? ''
  assert.equal(lettersOf('Banka Vltava'), 'BV')
  assert.equal(lettersOf('spořitelna'), 'S')
  assert.equal(lettersOf('  (The) Bank'), 'TB')
  assert.equal(lettersOf('星空銀行'), '星')
  assert.equal(lettersOf('बैंक ऑफ'), 'बैंऑ')
  assert.equal(lettersOf('<b>'), 'B')
  assert.equal(lettersOf('…'), '')
  const tiles = Array.from(
    { length: 200 },
    (_, at) => /tile-(\d)/.exec(monogramTile(`BANK_${at}`, 'x').text)?.[1],
  )
  assert.equal(new Set(tiles).size, TILES)
  assert.equal(monogramTile('A', 'x').text, monogramTile('A', 'x').text)
})
