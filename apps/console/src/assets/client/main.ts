/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

// Comfort. Everything works without it.

const COPIED_MS = 2_000

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- it is that of querySelectorAll
export const every = <Found extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): readonly Found[] => [...within.querySelectorAll<Found>(selector)]

/** Buttons that copy are hidden without a script. */
export function offerCopying(button: HTMLButtonElement): void {
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
  for (const open of every<HTMLDetailsElement>('details.pill[open]'))
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

document.addEventListener('keydown', closeByEscape)
document.addEventListener('click', closeOthers)
document.addEventListener('submit', sendOnce)
addEventListener('pageshow', () => {
  for (const form of every<HTMLFormElement>('form[data-sent]')) delete form.dataset['sent']
})
for (const button of every<HTMLButtonElement>('button[data-copy]')) offerCopying(button)
for (const input of every<HTMLInputElement>('input[data-into]')) offerReading(input)
