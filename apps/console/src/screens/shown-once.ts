import { html } from '@tollgate/runtime/html'
import type { Page } from '../frame.ts'
import { copyButton, note } from '../parts.ts'

interface Once {
  readonly title: string
  readonly nav: Page['nav']
  readonly says: string
  readonly value: string
  /** "the secret". */
  readonly what: string
  readonly back: string
  readonly backWords: string
}

/** Something that is told this once: a page of its own, which has no address and is not kept. */
export const shownOnce = ({ title, nav, says, value, what, back, backWords }: Once): Page => ({
  title,
  nav,
  content: html`<div class="head"><h1>${title}</h1></div>
${note('warn', html`<b>Shown this once.</b> Opening this page again makes another one.`)}
<p class="section-s">${says}</p>
<p class="cli section-s"><code tabindex="0" aria-label="${title}">${value}</code>${copyButton(what, value)}</p>
<p class="acts section-s"><a class="btn btn-main" href="${back}">${backWords}</a></p>`,
})
