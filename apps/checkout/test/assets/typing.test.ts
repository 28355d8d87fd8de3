import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { regroup } from '../../src/assets/client/caret.ts'
import { fold, isMatch } from '../../src/assets/client/folding.ts'
import { clockText, isClockShown, minuteToSpeak, pollDelayMs } from '../../src/assets/client/schedule.ts'
import { cleanIban } from '../../src/formats/iban.ts'

const IBAN = 'DE89370400440532013000'

/** Types, one symbol after the other, at the caret that the field has then. */
function type(symbols: string, field = { text: '', caret: 0 }): { text: string; caret: number } {
  return Array.from(symbols).reduce(
    ({ text, caret }, symbol) =>
      regroup({ text: text.slice(0, caret) + symbol + text.slice(caret), caret: caret + symbol.length }),
    field,
  )
}

function backspace({ text, caret }: { text: string; caret: number }): { text: string; caret: number } {
  if (caret === 0) return { text, caret }
  return regroup({
    text: text.slice(0, caret - 1) + text.slice(caret),
    caret: caret - 1,
    isDeletedBackwards: true,
  })
}

describe('an IBAN while it is typed', () => {
  it('is grouped by four, the caret at its end', () => {
    assert.deepEqual(type(IBAN), { text: 'DE89 3704 0044 0532 0130 00', caret: 27 })
    assert.deepEqual(type('de89370'), { text: 'DE89 370', caret: 8 })
  })

  it('keeps the caret behind the same symbol when something is put into its middle', () => {
    const symbols = fc.stringMatching(/^[A-Z0-9]{0,30}$/)
    fc.assert(
      fc.property(symbols, symbols, symbols, (before, added, after) => {
        const start = regroup({ text: before + after, caret: before.length })
        const { text, caret } = type(added, start)
        assert.equal(cleanIban(text), before + added + after)
        assert.equal(cleanIban(text.slice(0, caret)), before + added)
      }),
    )
  })

  it('can be deleted from any place to its beginning, never stuck at a space', () => {
    for (let place = 0; place <= IBAN.length; place += 1) {
      let field = regroup({ text: IBAN, caret: place })
      for (let presses = 0; presses < 2 * IBAN.length && field.caret > 0; presses += 1)
        field = backspace(field)
      assert.equal(cleanIban(field.text), IBAN.slice(place))
    }
  })

  it('is grouped when it is pasted with all that programs put around it', () => {
    assert.deepEqual(regroup({ text: '\u202ade89-3704\u00a00044\u202c', caret: 16 }), {
      text: 'DE89 3704 0044',
      caret: 14,
    })
  })
})

describe('searching', () => {
  const found: readonly (readonly [string, string])[] = [
    ['Česká spořitelna', 'ceska'],
    ['Česká spořitelna', 'SPO ces'],
    ['Žuno', 'žu'],
    ['Łódzki Bank', 'lodz'],
    ['Sparkasse Weißenburg', 'weissen'],
    ['Sparkasse Weissenburg', 'weiß'],
    ['İş Bankası', 'is bankasi'],
    ['Crédit d’Agricole', 'agricole'],
    ['Crédit Agricole CRLYFRPP', 'crly'],
    ['三菱UFJ銀行', 'ufj'],
    ['三菱UFJ銀行', '銀行'],
    ['स्टेट बैंक', 'बैंक'],
    ['بنك مصر', 'مصر'],
    ['Ｍizuho', 'mizuho'],
    ['Anything', ''],
  ]
  for (const [text, query] of found)
    it(`finds ${text} for “${query}”`, () => {
      assert.ok(isMatch(fold(text), fold(query)))
    })

  const missed: readonly (readonly [string, string])[] = [
    ['Česká spořitelna', 'eska'],
    ['Česká spořitelna', 'ceska x'],
    ['ING', 'in g'],
  ]
  for (const [text, query] of missed)
    it(`does not find ${text} for “${query}”`, () => {
      assert.equal(isMatch(fold(text), fold(query)), false)
    })

  it('finds every text by each of its own words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const folded = fold(text)
        for (const word of folded.split(' ')) assert.ok(isMatch(folded, word))
      }),
    )
  })
})

describe('asking again', () => {
  it('waits 2.5, 5, then 15 seconds, give or take a fifth', () => {
    const plan = [0, 1, 2, 3, 50].map((polls) => [0, 0.5, 1].map((chance) => pollDelayMs(polls, 0, chance)))
    assert.deepEqual(plan, [
      [2_000, 2_500, 3_000],
      [4_000, 5_000, 6_000],
      [12_000, 15_000, 18_000],
      [12_000, 15_000, 18_000],
      [12_000, 15_000, 18_000],
    ])
  })

  it('waits twice as long after each error, at most a minute', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 1_000].map((errors) => pollDelayMs(2, errors, 0.5)),
      [15_000, 30_000, 60_000, 60_000, 60_000],
    )
  })
})

describe('the time left', () => {
  it('is spoken at 10, 5, 2 and 1 minutes, each once', () => {
    const spoken: number[] = []
    for (let left = 700; left > 0; left -= 1) {
      const minutes = minuteToSpeak(left, left - 1)
      if (minutes !== undefined) spoken.push(minutes)
    }
    assert.deepEqual(spoken, [10, 5, 2, 1])
  })

  it('is spoken of once when a page has slept over several minutes', () => {
    assert.equal(minuteToSpeak(610, 90), 2)
  })

  it('is shown near the end, or always when there was little from the start', () => {
    const cases = [
      [601, 3_600],
      [600, 3_600],
      [840, 900],
      [0, 900],
      [0, 3_600],
    ] as const
    assert.deepEqual(
      cases.map(([left, total]) => isClockShown(left, total)),
      [false, true, true, false, false],
    )
  })

  it('is written as minutes and seconds', () => {
    assert.deepEqual([0, 5, 60, 545, 600].map(clockText), ['0:00', '0:05', '1:00', '9:05', '10:00'])
  })
})
