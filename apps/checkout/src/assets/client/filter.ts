/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { fold, isMatch } from './folding.ts'
import { announce, attribute, hide, show, templateText } from './page.ts'

const ANNOUNCE_AFTER_MS = 600

interface Item {
  readonly element: Element
  readonly text: string
}

/** `filter`: searching a list of banks. */
export function enhanceFilter(root: Element): void {
  const input = root.querySelector('[data-filter-input]')
  if (!(input instanceof HTMLInputElement)) return
  const items: readonly Item[] = [...root.querySelectorAll('[data-filter-item]')].map((element) => ({
    element,
    text: fold(attribute(element, 'data-filter-item')),
  }))
  let timer: ReturnType<typeof setTimeout> | undefined
  const search = (): void => {
    const query = fold(input.value)
    const found = applyQuery(root, items, query)
    const text = query === '' ? '' : resultText(root, found.length)
    const count = root.querySelector('[data-filter-count]')
    if (count !== null) count.textContent = text
    clearTimeout(timer)
    timer = setTimeout(() => announce(text), ANNOUNCE_AFTER_MS)
  }
  input.addEventListener('input', search)
  input.addEventListener('keydown', (event) => {
    // The Enter that ends the composition of a word is not ours.
    if (event.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      focusOnlyMatch(items, fold(input.value))
    } else if (event.key === 'Escape' && input.value !== '') {
      event.preventDefault()
      input.value = ''
      search()
    }
  })
  root.querySelectorAll('[data-filter-tools]').forEach(show)
  if (input.value !== '') search()
}

/** Shows what matches. */
function applyQuery(root: Element, items: readonly Item[], query: string): readonly Item[] {
  const found = items.filter(({ text }) => isMatch(text, query))
  for (const item of items) {
    item.element.toggleAttribute('hidden', !found.includes(item))
  }
  for (const group of root.querySelectorAll('[data-filter-group]')) {
    const isEmpty = group.querySelector('[data-filter-item]:not([hidden])') === null
    ;(isEmpty ? hide : show)(group)
  }
  return found
}

function resultText(root: Element, count: number): string {
  return count === 0
    ? attribute(root, 'data-filter-none')
    : templateText(root, 'data-filter-results', { count })
}

function focusOnlyMatch(items: readonly Item[], query: string): void {
  const found = items.filter(({ text }) => query !== '' && isMatch(text, query))
  const [only] = found
  if (only === undefined || found.length > 1) return
  const button = only.element.querySelector('button:not([disabled])')
  if (button instanceof HTMLElement) button.focus()
}
