import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

// A page of docs/ whose commands and steps are done as they stand there.

/** What a person does at a screen, in the page's words. */
export interface Step {
  readonly verb: 'Open' | 'Press' | 'Type' | 'Paste' | 'Choose' | 'Tick' | 'Check'
  /** The button, link or field, or what is to be seen. */
  readonly name: string
  /** What is typed, or the file. */
  readonly value: string
}

/** What stands below a heading of the page. */
export interface Part {
  readonly title: string
  /** Blocks of commands, each a text for a shell. */
  readonly commands: readonly string[]
  /** Programs, each as text. */
  readonly programs: readonly string[]
  readonly steps: readonly Step[]
}

/** Reads a page of docs/. Fails where a numbered step says something that nobody could do. */
export function readGuide(path: string): readonly Part[] {
  const text = readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      commands: blocksOf(part, 'bash'),
      programs: blocksOf(part, 'js'),
      steps: stepsIn(part),
    }))
}

const blocksOf = (part: string, language: string): readonly string[] =>
  [...part.matchAll(/^```(\w+)\n(.+?)^```/gms)]
    .filter(([, of]) => of === language)
    .map(([, , text = '']) => text)

const ITEM = /^\d+\. (.+(?:\n {3}.+)*)/gm
/** Sentences end with a full stop that nothing but a space or the end follows. */
const SENTENCE = /[^.]+(?:\.(?!\s|$)[^.]*)*\./g

function stepsIn(part: string): readonly Step[] {
  const outside = part.replaceAll(/^```.+?^```/gms, '')
  return [...outside.matchAll(ITEM)].flatMap(([, item = '']) =>
    (item.replaceAll(/\s+/g, ' ').match(SENTENCE) ?? []).map((sentence) => stepOf(sentence.trim())),
  )
}

/** One sentence is one thing to do; what a person does beside the screen stands behind a comma. */
const FORMS: readonly (readonly [RegExp, (...found: readonly string[]) => Step])[] = [
  [/^Open (?<value>.+)\.$/, (value = '') => ({ verb: 'Open', name: value, value })],
  [/^Press \*\*(.+?)\*\*(?:, .+)?\.$/, (name = '') => ({ verb: 'Press', name, value: '' })],
  [/^Type `(.+?)` into \*\*(.+?)\*\*\.$/, (value = '', name = '') => ({ verb: 'Type', name, value })],
  [/^Paste `(.+?)` into \*\*(.+?)\*\*\.$/, (value = '', name = '') => ({ verb: 'Paste', name, value })],
  [/^Choose `(.+?)` at \*\*(.+?)\*\*\.$/, (value = '', name = '') => ({ verb: 'Choose', name, value })],
  [/^Tick \*\*(.+?)\*\*\.$/, (name = '') => ({ verb: 'Tick', name, value: '' })],
  [/^You see \*\*(.+?)\*\*\.$/, (name = '') => ({ verb: 'Check', name, value: '' })],
]

function stepOf(sentence: string): Step {
  for (const [form, step] of FORMS) {
    const found = form.exec(sentence)
    if (found !== null) return step(...found.slice(1))
  }
  return assert.fail(`nobody can do this step: ${sentence}`)
}
