import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  chooseLanguage,
  directionOf,
  isLanguage,
  LANGUAGE_NAMES,
  LANGUAGES,
} from '../../src/messages/index.ts'

describe('the language of a page', () => {
  const cases: readonly (readonly [string | undefined, string | undefined, string])[] = [
    [undefined, undefined, 'en'],
    ['', '', 'en'],
    ['de', undefined, 'de'],
    ['de-AT', undefined, 'de'],
    ['pt-BR', undefined, 'pt-BR'],
    ['pt', undefined, 'pt-BR'],
    ['pt-PT,pt;q=0.9', undefined, 'pt-BR'],
    ['PT-br', undefined, 'pt-BR'],
    ['ar-EG', undefined, 'ar'],
    ['zh-TW,zh;q=0.9,ja;q=0.4', undefined, 'ja'],
    ['fr;q=0.2, cs;q=0.8, *;q=0.1', undefined, 'cs'],
    ['fr; q=0.2 , cs ; q=0.8', undefined, 'cs'],
    ['de;q=0, fr;q=0.1', undefined, 'fr'],
    ['de;q=high, fr', undefined, 'fr'],
    ['*', undefined, 'en'],
    ['tlh', undefined, 'en'],
    ['de', 'pl', 'pl'],
    ['de', 'tlh', 'de'],
    ['de', '', 'de'],
    ['de', 'hi_IN', 'hi'],
  ]
  for (const [header, asked, language] of cases)
    it(`is ${language} for the header ${JSON.stringify(header)} and the choice ${JSON.stringify(asked)}`, () => {
      assert.equal(chooseLanguage(header, asked), language)
    })

  it('is one that we have, whatever a browser sends', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), fc.string(), (header, asked) => {
        assert.ok(isLanguage(chooseLanguage(header, asked)))
      }),
    )
  })

  it('is found quickly in a header of great length', () => {
    assert.equal(chooseLanguage('de;q=0.1,'.repeat(100_000), undefined), 'de')
    assert.equal(chooseLanguage(`${'x'.repeat(1_000)},de`, undefined), 'en')
  })

  it('runs from the right for Arabic alone', () => {
    assert.deepEqual(
      LANGUAGES.filter((language) => directionOf(language) === 'rtl'),
      ['ar'],
    )
  })

  it('has a name in itself, and a tag that the platform knows', () => {
    assert.deepEqual(Object.keys(LANGUAGE_NAMES).sort(), [...LANGUAGES].sort())
    assert.deepEqual(Intl.PluralRules.supportedLocalesOf([...LANGUAGES]), [...LANGUAGES])
    assert.equal(new Set(Object.values(LANGUAGE_NAMES)).size, LANGUAGES.length)
  })

  it('is told by its exact tag only', () => {
    for (const tag of ['EN', 'de-AT', '', undefined, 3, '__proto__']) assert.equal(isLanguage(tag), false)
  })
})
