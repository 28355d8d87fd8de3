/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { every } from './main.ts'

// The keyboard: the dialog of Ctrl-K, keys for lists, and the list of keys.

const KEYS_OFF = 'tollgate.keys'
const SEEK_PAUSE_MS = 200

const dialogNamed = (name: string): HTMLDialogElement | null =>
  document.querySelector<HTMLDialogElement>(`dialog[data-dialog="${name}"]`)

/** Signing in takes cookies: a browser that refuses to keep anything does not come this far. */
const areKeysOn = (): boolean => localStorage.getItem(KEYS_OFF) === null

function switchKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEYS_OFF)
  else localStorage.setItem(KEYS_OFF, 'off')
}

function openDialog(name: string): void {
  const dialog = dialogNamed(name)
  if (dialog === null || document.querySelector('dialog[open]') !== null) return
  for (const box of every<HTMLInputElement>('[data-character-keys]', dialog)) box.checked = areKeysOn()
  dialog.showModal()
  if (name === 'seek') seek()
}

/** A screen of ours as a document in which nothing runs; null where there is none. Nobody asked for it just now: `isUnattended`. */
export function readScreen(
  address: string,
  take: (screen: Document | null) => void,
  isUnattended: boolean,
): XMLHttpRequest {
  const request = new XMLHttpRequest()
  request.open('GET', address)
  request.responseType = 'document'
  if (isUnattended) request.setRequestHeader('x-unattended', '1')
  request.addEventListener('load', () => take(request.status === 200 ? request.responseXML : null))
  request.addEventListener('error', () => take(null))
  request.send()
  return request
}

let seeking: XMLHttpRequest | undefined

/** Asks the page of the search for what stands in the field. */
function seek(): void {
  const field = document.querySelector<HTMLInputElement>('#seek-q')
  if (field === null) return
  seeking?.abort()
  seeking = readScreen(`/search?q=${encodeURIComponent(field.value)}`, showFound, false)
}

/** Words and addresses alone are taken from the page, never its elements. */
function showFound(screen: Document | null): void {
  const groups = [...(screen?.querySelectorAll<HTMLElement>('[data-group]') ?? [])]
  const lists = groups.flatMap((group) => {
    const list = document.createElement('ul')
    list.ariaLabel = group.dataset['group'] ?? ''
    list.append(...every<HTMLAnchorElement>('th a, li a', group).map(foundItem))
    const head = document.createElement('h3')
    head.textContent = list.ariaLabel
    return [head, list]
  })
  replaceFound(lists)
  const says = document.querySelector('[data-seek-says]')
  const count = every('[data-seek-found] a').length
  if (says === null) return
  says.textContent = screen === null ? 'The search does not answer.' : `${count} found`
  // Seen as well where there is nothing to be seen.
  says.classList.toggle('vh', count > 0)
}

/** Who was among what was found stays there, or goes on typing where it is not found any more. */
function replaceFound(lists: readonly HTMLElement[]): void {
  const links = (): readonly HTMLAnchorElement[] => every<HTMLAnchorElement>('[data-seek-found] a')
  const focused = links().find((link) => link.matches(':focus'))
  document.querySelector('[data-seek-found]')?.replaceChildren(...lists)
  if (focused === undefined) return
  const next =
    links().find((link) => link.href === focused.href) ?? document.querySelector<HTMLElement>('#seek-q')
  next?.focus()
}

function foundItem(found: HTMLAnchorElement): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = found.pathname
  link.textContent = found.textContent
  const more = document.createElement('small')
  more.textContent = [...(found.closest('tr')?.cells ?? [])]
    .filter((cell) => !cell.contains(found))
    .slice(0, 2)
    .map((cell) => cell.textContent)
    .join(' · ')
  link.append(more)
  item.append(link)
  return item
}

/** Arrows move from the field through what was found, and around; a letter goes on typing. */
function moveInSeek(event: KeyboardEvent): void {
  const { key, target } = event
  const field = document.querySelector<HTMLInputElement>('#seek-q')
  if (field === null || !(target instanceof HTMLElement)) return
  const stops = [field, ...every('[data-seek-found] a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step !== undefined) {
    event.preventDefault()
    stops.at((stops.indexOf(target) + step) % stops.length)?.focus()
  } else if (key.length === 1 && key !== ' ' && !hasModifier(event) && target !== field) field.focus()
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey

const isTyping = (): boolean => document.activeElement?.matches('input, select, textarea') === true

/** J and K move through a queue or the rows of a list; Enter opens what has the focus, as it does with every link. */
function moveInList(step: number): void {
  const links = every('.queue a, .rows tbody th a, .todo a')
  const focused = links.findIndex((link) => link.matches(':focus'))
  const current = focused === -1 ? links.findIndex((link) => link.ariaCurrent !== null) : focused
  links[Math.min(links.length - 1, Math.max(0, current + step))]?.focus()
}

/** What a single key does. */
const CHARACTER_KEYS: Readonly<Record<string, () => void>> = {
  j: () => moveInList(1),
  k: () => moveInList(-1),
  '?': () => openDialog('keys'),
  '/': () => document.querySelector<HTMLInputElement>('.find input')?.focus(),
}

function onCharacter(event: KeyboardEvent): void {
  const act = CHARACTER_KEYS[event.key]
  const isFree = !isTyping() && document.querySelector('dialog[open]') === null
  if (act === undefined || hasModifier(event) || !isFree || !areKeysOn()) return
  event.preventDefault()
  act()
}

const isSeekKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey)

function onKey(event: KeyboardEvent): void {
  const dialog = dialogNamed('seek')
  if (event.isComposing || dialog === null) return
  if (isSeekKey(event)) {
    event.preventDefault()
    openDialog('seek')
  } else if (dialog.open) moveInSeek(event)
  else onCharacter(event)
}

document.addEventListener('keydown', onKey)
let seekPause: ReturnType<typeof setTimeout> | undefined
document.querySelector('#seek-q')?.addEventListener('input', () => {
  clearTimeout(seekPause)
  seekPause = setTimeout(seek, SEEK_PAUSE_MS)
})
for (const button of every('[data-opens]')) {
  button.hidden = false
  button.addEventListener('click', () => openDialog(button.dataset['opens'] ?? ''))
}
for (const button of every('[data-closes]'))
  button.addEventListener('click', () => button.closest('dialog')?.close())
for (const box of every<HTMLInputElement>('[data-character-keys]'))
  box.addEventListener('change', () => switchKeys(box.checked))
