/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { AskedCell, Problem } from './answers.ts'

// Pieces of the page: clones of templates that this console wrote, filled with texts.

export const find = (selector: string, within: ParentNode = document): HTMLElement | null =>
  within.querySelector<HTMLElement>(selector)

/** What a template of the page has in it; nothing where there is none of that name. */
export function pieceOf(name: string): HTMLElement | undefined {
  // The name may be another console's: it is compared, and never part of a selector.
  const template = [...document.querySelectorAll<HTMLTemplateElement>('template')].find(
    ({ dataset }) => dataset['piece'] === name,
  )
  const piece = template?.content.firstElementChild?.cloneNode(true)
  return piece instanceof HTMLElement ? piece : undefined
}

/** The same of a name that the page has. */
export const ownPiece = (name: string): HTMLElement => pieceOf(name) ?? document.createElement('div')

/** Puts this where a part of the page has a place for it; nothing empties the place. */
export function put(selector: string, within: ParentNode, content: HTMLElement | undefined): void {
  find(selector, within)?.replaceChildren(...(content === undefined ? [] : [content]))
}

/** Puts texts where a piece has places for them. */
export function fill(piece: ParentNode, texts: Readonly<Record<string, string>>): void {
  for (const [name, words] of Object.entries(texts)) {
    const place = find(`[data-of="${name}"]`, piece)
    if (place !== null) place.textContent = words
  }
}

/** The cells by their letters, as the page has them. */
export const cellsOfPage = (): readonly AskedCell[] =>
  [...document.querySelectorAll<HTMLElement>('[data-cell]')].map(({ dataset }) => ({
    letter: dataset['cell'] ?? '',
    origin: dataset['origin'] ?? '',
  }))

/** Says something to who hears the page. */
export function say(words: string): void {
  const place = find('[data-cells-says]')
  if (place !== null && place.textContent !== words) place.textContent = words
}

/** One sentence of what is wrong with a cell. */
export function problemWords(letter: string, problem: Problem, says = ''): string {
  switch (problem) {
    case 'AWAY':
      return `Cell ${letter} does not answer.`
    case 'GATEWAY_AWAY':
      return `The gateway of cell ${letter} does not answer.`
    case 'SIGNED_OUT':
      return `You are not signed in to cell ${letter}.`
    case 'FORBIDDEN':
      return `Your roles in cell ${letter} do not permit this.`
    case 'REFUSED':
      return `Cell ${letter} does not take these filters: ${says}`
    case 'UNKNOWN':
      return `Cell ${letter} does not know this merchant.`
    case 'OTHER':
      return `Cell ${letter} answered something else. Its console may have another version or other cells in its settings.`
  }
}

interface Note {
  readonly cell: AskedCell
  readonly problem: Problem
  readonly says?: string | undefined
  /** What is not to be seen here because of it. */
  readonly missing: string
  readonly again: () => void
}

/** The sentence as a message on the page, with the way out. */
export function problemNote({ cell, problem, says, missing, again }: Note): HTMLElement {
  const note = ownPiece('problem')
  fill(note, { says: `${problemWords(cell.letter, problem, says)} ${missing}` })
  const signIn = find('a', note)
  if (signIn instanceof HTMLAnchorElement) {
    signIn.hidden = problem !== 'SIGNED_OUT'
    signIn.textContent = `Sign in to cell ${cell.letter}`
    signIn.href = `${cell.origin}/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`
  }
  find('button', note)?.addEventListener('click', again)
  return note
}

/** A sentence that needs nothing to be done. */
export function plainNote(says: string): HTMLElement {
  const note = ownPiece('note')
  fill(note, { says })
  return note
}
