import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { type IconName, icon } from './icons.ts'
import { searchOf } from './operator-api.ts'

// What screens are built from.

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'back' | 'mute'

export const chip = (tone: Tone, name: IconName, words: string): Html =>
  html`<span class="chip chip-${tone}">${icon(name)}${words}</span>`

/** A message on a screen: what was done, or why not. */
export const note = (tone: 'good' | 'warn' | 'bad' | 'info', content: HtmlValue): Html => {
  const names = { good: 'check', warn: 'alert', bad: 'x', info: 'info' } as const
  const role = tone === 'bad' ? 'alert' : tone === 'good' ? 'status' : undefined
  return html`<p class="note note-${tone}"${attributes({ role })}>${icon(names[tone])}<span>${content}</span></p>`
}

/** Something that is not there, and the way out. */
export const empty = (
  name: IconName,
  title: string,
  more: { says?: HtmlValue; acts?: HtmlValue } = {},
): Html =>
  html`<div class="empty">${icon(name)}<h2>${title}</h2>${more.says !== undefined && html`<p>${more.says}</p>`}${more.acts !== undefined && html`<p class="acts">${more.acts}</p>`}</div>`

interface Column {
  readonly name: string
  /** Classes of the column's cells: `n` for figures, `hide-sm`, `hide-md`. */
  readonly style?: string
}

/** A table that scrolls in its own region. The first cell after the amount names the row. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly HtmlValue[])[],
  headed = 0,
): Html {
  const styleOf = (index: number): Html => attributes({ class: columns[index]?.style })
  const row = (cells: readonly HtmlValue[]): Html =>
    html`<tr>${cells.map((cell, index) =>
      index === headed
        ? html`<th scope="row"${styleOf(index)}>${cell}</th>`
        : html`<td${styleOf(index)}>${cell}</td>`,
    )}</tr>
`
  return html`<div class="sheet" tabindex="0" role="region" aria-label="${caption}, table"><table class="rows"><caption class="vh">${caption}</caption><thead><tr>${columns.map(({ name }, index) => html`<th scope="col"${styleOf(index)}>${name}</th>`)}</tr></thead><tbody>
${rows.map(row)}</tbody></table></div>`
}

/** Names and values of a subject. */
export const facts = (pairs: readonly (readonly [name: string, value: HtmlValue])[]): Html =>
  html`<dl class="facts">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

export const pairs = (list: readonly (readonly [name: string, value: HtmlValue] | undefined)[]): Html =>
  html`<dl class="kv">${list.map((pair) => pair && html`<dt>${pair[0]}</dt><dd>${pair[1]}</dd>`)}</dl>`

/** The command that does the same. It scrolls where it is longer than the screen is wide. */
export const command = (text: string): Html => html`<p class="cli"><code tabindex="0">${text}</code></p>`

/** Hidden without a script. */
export const copyButton = (what: string, text: string): Html =>
  html`<button class="iconbtn" type="button" hidden data-copy="${text}">${icon('copy')}<span class="vh">Copy ${what}</span></button>`

interface View {
  readonly name: string
  readonly href: string
  readonly isCurrent: boolean
  readonly count?: number | string | undefined
}

/** The named views of a list, each of which is an address. */
export const views = (list: readonly View[]): Html =>
  html`<nav class="views" aria-label="Views">${list.map(
    ({ name, href, isCurrent, count }) =>
      html`<a href="${href}"${attributes({ 'aria-current': isCurrent ? 'page' : undefined })}>${name}${count !== undefined && html` <span class="tally">${count}</span>`}</a>`,
  )}</nav>`

// Pages of a list. The API gives the cursor of the next page; the addresses of those before are in the trail.

const TRAIL_MAX = 40
/** Cursors have no such letter. */
const TRAIL_SEPARATOR = '~'
const FIRST = '-'

interface PagesOf {
  readonly path: string
  readonly query: URLSearchParams
  readonly nextCursor?: string | undefined
  readonly says: string
}

/** "Newer" and "Older" under a list; both are addresses. */
export function pager({ path, query, nextCursor, says }: PagesOf): Html {
  const current = query.get('cursor')
  const trail = (query.get('trail') ?? '').split(TRAIL_SEPARATOR).filter((each) => each !== '')
  const older =
    nextCursor &&
    withQuery(path, query, {
      cursor: nextCursor,
      trail: [...trail, current ?? FIRST].slice(-TRAIL_MAX).join(TRAIL_SEPARATOR),
    })
  const before = trail.at(-1)
  const newer =
    current === null
      ? undefined
      : withQuery(path, query, {
          cursor: before === FIRST ? undefined : before,
          trail: trail.slice(0, -1).join(TRAIL_SEPARATOR),
        })
  const link = (href: string | undefined, rel: string, content: Html): Html | undefined =>
    href === undefined ? undefined : html`<a class="btn" rel="${rel}" href="${href}">${content}</a>`
  return html`<div class="pager"><span>${says}</span><span class="acts">${link(newer, 'prev', html`${icon('left')}Newer`)}${link(older, 'next', html`Older${icon('right')}`)}</span></div>`
}

/** An address with some of its parameters changed; undefined takes one away. */
export function withQuery(
  path: string,
  query: URLSearchParams,
  change: Readonly<Record<string, string | undefined>>,
): string {
  return `${path}${searchOf({ ...Object.fromEntries(query), ...change })}`
}
