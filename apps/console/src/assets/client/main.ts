/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

// Comfort. Everything works without it.

const COPIED_MS = 2_000

/** Ctrl-K, or ⌘K: to the search, from anywhere. */
function focusSearch(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
  const field = document.querySelector<HTMLInputElement>('.find input')
  if (field === null) return
  event.preventDefault()
  field.focus()
  field.select()
}

/** J and K move through a queue or the rows of a list, where nothing is typed; Enter opens what has the focus. */
function moveInList(event: KeyboardEvent): void {
  const isTyping = document.activeElement?.matches('input, select, textarea') === true
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  const step = { j: 1, k: -1 }[event.key]
  if (step === undefined) return
  const links = [...document.querySelectorAll<HTMLElement>('.queue a, .rows tbody th a')]
  if (links.length === 0) return
  const focused = links.findIndex((link) => link.matches(':focus'))
  const current = focused === -1 ? links.findIndex((link) => link.ariaCurrent !== null) : focused
  const next = Math.min(links.length - 1, Math.max(0, current + step))
  links[next]?.focus()
}

/** Buttons that copy are hidden without a script. */
function offerCopying(button: HTMLButtonElement): void {
  const name = button.querySelector('.vh')
  const label = name?.textContent ?? ''
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(
      () => {
        button.classList.add('done')
        if (name !== null) name.textContent = 'Copied'
        setTimeout(() => {
          button.classList.remove('done')
          if (name !== null) name.textContent = label
        }, COPIED_MS)
      },
      () => undefined,
    )
  })
}

/** One filter open at a time; Escape and a press elsewhere close it. */
function closeOthers(event: Event): void {
  const { target } = event
  for (const open of document.querySelectorAll<HTMLDetailsElement>('details.pill[open]'))
    if (!(target instanceof Node && open.contains(target))) open.open = false
}

function closeByEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape') return
  const open = document.querySelector<HTMLDetailsElement>('details.pill[open]')
  if (open === null) return
  open.open = false
  open.querySelector('summary')?.focus()
}

/** What is sent once is not sent again by a second press. */
function sendOnce(event: SubmitEvent): void {
  const { target } = event
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return
  if (target.dataset['sent'] === undefined) target.dataset['sent'] = ''
  else event.preventDefault()
}

/** A file that is chosen is read into the text beside it; without a script its content is pasted. */
function offerReading(input: HTMLInputElement): void {
  const target = document.getElementById(input.dataset['into'] ?? '')
  const label = input.closest('label')
  if (!(target instanceof HTMLTextAreaElement) || label === null) return
  label.hidden = false
  input.addEventListener('change', () => {
    const file = input.files?.[0]
    if (file === undefined) return
    file.text().then(
      (text) => {
        target.value = text
        target.focus()
      },
      () => undefined,
    )
  })
}

document.addEventListener('keydown', focusSearch)
document.addEventListener('keydown', moveInList)
document.addEventListener('keydown', closeByEscape)
document.addEventListener('click', closeOthers)
document.addEventListener('submit', sendOnce)
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]'))
    delete form.dataset['sent']
})
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) offerCopying(button)
for (const input of document.querySelectorAll<HTMLInputElement>('input[data-into]')) offerReading(input)
