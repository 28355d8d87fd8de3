import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { developer } from '../../src/messages/developer.ts'
import {
  LANGUAGES,
  type Language,
  MESSAGES,
  type Message,
  type MessageKey,
} from '../../src/messages/index.ts'

/** Counts in these texts are whole and small: seconds, characters, results. */
const COUNT_MAX = 2_000

const PARTS: readonly (readonly [MessageKey, Message])[] = entriesOf(MESSAGES.en)
const TRANSLATIONS = LANGUAGES.filter((language) => language !== 'en')

/** The same in English and in the language, and right so: names, and words that both have. */
const NAMES: readonly MessageKey[] = ['title.withShop', 'method.UPI', 'method.PIX']
const LATIN: readonly MessageKey[] = [...NAMES, 'field.iban', 'transfer.iban']
const UPI_ID: readonly MessageKey[] = ['field.vpa']
const SAME: Readonly<Record<Language, readonly MessageKey[]>> = {
  en: [],
  de: [...LATIN, 'common.optional', 'method.WALLET', 'transfer.bank'],
  fr: LATIN,
  es: LATIN,
  'pt-BR': [...LATIN, 'field.emailAddress'],
  cs: [...LATIN, ...UPI_ID, 'field.emailAddress'],
  pl: [...LATIN, 'field.emailAddress', 'transfer.bank'],
  hi: [...LATIN, ...UPI_ID],
  ar: NAMES,
  ja: [...LATIN, ...UPI_ID],
}

function entriesOf(
  messages: Readonly<Record<MessageKey, Message>>,
): readonly (readonly [MessageKey, Message])[] {
  return Object.entries(messages).flatMap(([key, message]) => (isKey(key) ? [[key, message] as const] : []))
}

function isKey(key: string): key is MessageKey {
  return key in MESSAGES.en
}

function formsOf(message: Message): readonly (readonly [string, string])[] {
  return typeof message === 'string' ? [['other', message]] : Object.entries(message)
}

function placeholdersOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name))
}

/** The forms that counts as they occur ask for. */
function neededForms(language: string): ReadonlySet<string> {
  const rules = new Intl.PluralRules(language)
  const counts = Array.from({ length: COUNT_MAX }, (_, count) => rules.select(count))
  return new Set(['other', ...counts])
}

/** What is wrong with the placeholders of a form, seen from the English text. */
function strangePlaceholders(key: MessageKey, text: string): readonly string[] {
  const wanted = new Set(formsOf(MESSAGES.en[key]).flatMap(([, form]) => [...placeholdersOf(form)]))
  const found = placeholdersOf(text)
  // "One day" needs no number.
  const missing = [...wanted].filter((name) => !found.has(name) && name !== 'count')
  const added = [...found].filter((name) => !wanted.has(name))
  return [...missing.map((name) => `${key} lacks ${name}`), ...added.map((name) => `${key} adds ${name}`)]
}

describe('the English texts', () => {
  it('have a form for every count wherever they have forms', () => {
    for (const [key, message] of PARTS) {
      const forms = formsOf(message).map(([form]) => form)
      assert.deepEqual(forms, typeof message === 'string' ? ['other'] : ['one', 'other'], key)
    }
  })

  it('name a count where they have plural forms', () => {
    for (const [key, message] of PARTS)
      if (typeof message !== 'string') assert.ok(placeholdersOf(message.other).has('count'), key)
  })
})

/** These are put together from a prefix and what the API says. */
const PUT_TOGETHER = /^(?:flow|speed|method|field|fault)\./

it('every text is used', () => {
  const root = join(import.meta.dirname, '../../src')
  const sources = globSync('**/*.ts', {
    cwd: root,
    exclude: [...LANGUAGES, 'developer'].map((name) => `messages/${name}.ts`),
  })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const unused = PARTS.map(([key]) => key).filter(
    (key) => !PUT_TOGETHER.test(key) && !sources.includes(`'${key}'`),
  )
  assert.deepEqual(unused, [])
})

describe('every language', () => {
  it('is translated', () => {
    const english = TRANSLATIONS.filter((language) => MESSAGES[language] === MESSAGES.en)
    assert.deepEqual(english, [])
  })

  for (const language of LANGUAGES) {
    it(`has every text in ${language}, none empty, none with loose ends`, () => {
      const found = entriesOf(MESSAGES[language])
      assert.deepEqual(found.map(([key]) => key).sort(), PARTS.map(([key]) => key).sort())
      for (const [key, message] of found)
        for (const [form, text] of formsOf(message)) {
          assert.notEqual(text.trim(), '', `${key} ${form}`)
          assert.equal(text, text.trim(), `${key} ${form}`)
          assert.equal(text, text.normalize('NFC'), `${key} ${form}`)
          assert.doesNotMatch(text, /[<>]|&\w+;|\{[^}]*\{|^[^{]*\}|TODO/, `${key} ${form}`)
        }
    })

    it(`fills in the same placeholders in ${language} as in English`, () => {
      const strange = entriesOf(MESSAGES[language]).flatMap(([key, message]) =>
        formsOf(message).flatMap(([, text]) => strangePlaceholders(key, text)),
      )
      assert.deepEqual(strange, [])
    })

    it(`has the plural forms that ${language} needs, and no others`, () => {
      const needed = neededForms(language)
      const known: ReadonlySet<string> = new Set(
        new Intl.PluralRules(language).resolvedOptions().pluralCategories,
      )
      for (const [key, message] of PARTS) {
        if (typeof message === 'string') continue
        const forms = new Set(formsOf(MESSAGES[language][key]).map(([form]) => form))
        assert.deepEqual(
          [...needed].filter((form) => !forms.has(form)),
          [],
          `${key} lacks`,
        )
        assert.deepEqual(
          [...forms].filter((form) => !known.has(form)),
          [],
          `${key} has too many`,
        )
      }
    })

    it(`keeps the count in ${language} where a form stands for many counts`, () => {
      const rules = new Intl.PluralRules(language)
      const many = [...neededForms(language)].filter((form) => {
        const counts = Array.from({ length: COUNT_MAX }, (_, count) => count)
        return counts.filter((count) => rules.select(count) === form).length > 2
      })
      for (const [key, message] of entriesOf(MESSAGES[language])) {
        if (typeof MESSAGES.en[key] === 'string') continue
        for (const [form, text] of formsOf(message))
          if (many.includes(form)) assert.ok(placeholdersOf(text).has('count'), `${key} ${form}`)
      }
    })
  }

  for (const language of TRANSLATIONS) {
    it(`says in its own words in ${language} what English says, but for names and common words`, () => {
      const same = entriesOf(MESSAGES[language])
        .filter(([key, message]) => JSON.stringify(message) === JSON.stringify(MESSAGES.en[key]))
        .map(([key]) => key)
        .filter((key) => !(key in developer))
      assert.deepEqual(same.sort(), [...SAME[language]].sort())
    })
  }
})
