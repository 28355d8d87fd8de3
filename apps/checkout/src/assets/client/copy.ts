/// <reference lib="dom" />
import { announce, attribute, byId, show } from './page.ts'

const LABEL_BACK_AFTER_MS = 4_000

/** `copy`: says that it is done only when it is. */
export function enhanceCopy(button: Element): void {
  const label = button.textContent
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (text: string, short = text): void => {
    announce(text)
    button.textContent = short
    clearTimeout(timer)
    timer = setTimeout(() => {
      button.textContent = label
    }, LABEL_BACK_AFTER_MS)
  }
  button.addEventListener('click', () => {
    write(attribute(button, 'data-copy')).then(
      () => say(attribute(button, 'data-copied'), attribute(button, 'data-copied-short')),
      () => {
        // What is to be pressed and held must not lie under the button.
        button.classList.add('is-failed')
        select(byId(attribute(button, 'data-copy-from')))
        say(attribute(button, 'data-copy-failed'))
      },
    )
  })
  show(button)
}

/** Rejects, too, where there is no clipboard: on pages without https, and in some browsers inside apps. */
async function write(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}

function select(element: HTMLElement | null): void {
  if (element === null) return
  show(element)
  getSelection()?.selectAllChildren(element)
  element.scrollIntoView({ block: 'nearest' })
}
