import { html } from '@tollgate/runtime/html'
import { icon } from './icons.ts'

// What the script opens over a screen. Without it, the search is the page at /search, and there are no keys to list.

/** Ctrl-K: fills itself from the page of the search, so that both find the same. */
export const seekDialog = html`<dialog class="seek" aria-labelledby="h-seek" data-dialog="seek"><h2 class="vh" id="h-seek">Search and go to</h2><form role="search" aria-label="Search and go to" action="/search">${icon('search')}<label class="vh" for="seek-q">Payment, merchant or page</label><input id="seek-q" name="q" type="text" enterkeyhint="search" placeholder="Payment, merchant or page" maxlength="250" autocomplete="off"></form><p class="vh" aria-live="polite" data-seek-says></p><div data-seek-found></div><p class="seek-foot"><span><kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd> opens</span><button class="btn btn-bare" type="button" data-closes>Close<kbd>Esc</kbd></button></p></dialog>`

const KEYS: readonly (readonly [keys: readonly string[], says: string, isCharacter: boolean])[] = [
  [['Ctrl', 'K'], 'Search payments, merchants and pages (⌘ K)', false],
  [['/'], 'Go to the search field', true],
  [['J'], 'Next in the list', true],
  [['K'], 'Previous in the list', true],
  [['Enter'], 'Open what has the focus', false],
  [['?'], 'This list', true],
]

/** The list of keys, and the switch that WCAG 2.1.4 asks for. */
export const keysDialog = html`<dialog class="keys" aria-labelledby="h-keys" data-dialog="keys"><h2 id="h-keys">Keys</h2><dl>${KEYS.map(([keys, says]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${says}</dd></div>`)}</dl><label class="tickfield"><input type="checkbox" data-character-keys><span>Single keys: ${KEYS.filter(([, , isCharacter]) => isCharacter).map(([[key]]) => html`<kbd>${key}</kbd> `)}<small>Kept in this browser. They are off while you type.</small></span></label><button class="btn" type="button" data-closes>Close</button></dialog>`

/** In the navigation, so that the keys can be switched on again without one. */
export const keysButton = html`<button class="btn btn-bare" type="button" hidden data-opens="keys">Keys</button>`
