import { type Html, html } from '@tollgate/runtime/html'

// Our own drawings: 16 px, round strokes of 1.5 px, no fills.

const PATHS = {
  alert: 'M8 2.4 14.2 13H1.8zM8 6.4v3.1M8 11.1v.2',
  audit: 'M3.8 2.5h5.4l3 3v8H3.8zM9.2 2.5v3h3M6 8.4h4.2M6 10.9h4.2',
  bank: 'M2.4 6.4 8 2.8l5.6 3.6zM4.2 6.6v4.4M8 6.6v4.4M11.8 6.6v4.4M2.4 13.2h11.2',
  callback: 'M2.5 8h7.6M7 4.6 10.4 8 7 11.4M13.5 3v10',
  cell: 'M8 2 13.2 5v6L8 14 2.8 11V5zM8 8 13.2 5M8 8v6M8 8 2.8 5',
  check: 'M3.3 8.6 6.4 11.6 12.7 4.6',
  clock: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 4.9V8l2.1 1.4',
  coins:
    'M13 4.6c0 1.2-2.2 2.1-5 2.1S3 5.8 3 4.6s2.2-2.1 5-2.1 5 .9 5 2.1zM3 4.6V8c0 1.2 2.2 2.1 5 2.1s5-.9 5-2.1V4.6M3 8v3.4c0 1.2 2.2 2.1 5 2.1s5-.9 5-2.1V8',
  copy: 'M6.6 5.6h5.8a1 1 0 0 1 1 1v5.8a1 1 0 0 1-1 1H6.6a1 1 0 0 1-1-1V6.6a1 1 0 0 1 1-1zM3.6 10.4a1 1 0 0 1-1-1V3.6a1 1 0 0 1 1-1h5.8a1 1 0 0 1 1 1',
  dot: 'M8 8h.01',
  down: 'M3.6 6 8 10.4 12.4 6',
  edit: 'M3 13l.6-2.7 6.9-6.9a1 1 0 0 1 1.4 0l.7.7a1 1 0 0 1 0 1.4l-6.9 6.9zM9.3 4.6l2.1 2.1',
  eye: 'M1.8 8S4.2 3.9 8 3.9 14.2 8 14.2 8 11.8 12.1 8 12.1 1.8 8 1.8 8zM9.7 8a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 0 1 3.4 0z',
  flag: 'M4 13.8V2.4M4 3h8l-1.9 2.8L12 8.6H4',
  gauge: 'M3.2 12a5.7 5.7 0 1 1 9.6 0M8 9.4l2.6-3.2M8 9.4h.01',
  grid: 'M2.8 2.8h4v4h-4zM9.2 2.8h4v4h-4zM2.8 9.2h4v4h-4zM9.2 9.2h4v4h-4z',
  help: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM6.4 6.6a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.9.6-.9 1.2M8 11.1v.1',
  home: 'M2.5 7.4 8 2.8l5.5 4.6v5.1a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM6.4 13.5v-4h3.2v4',
  in: 'M8 2.5v7.2M4.9 6.8 8 9.8l3.1-3M2.5 10.8v1.7a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-1.7',
  info: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 7.4v3.4M8 5.1v.2',
  key: 'M8.6 10.4a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM7.8 8.4 13.2 3M11 5.2l1.9 1.9',
  left: 'M10 3.6 5.6 8l4.4 4.4',
  link: 'M6.6 4.6 8 3.2a3.4 3.4 0 0 1 4.8 4.8l-1.4 1.4M9.4 11.4 8 12.8A3.4 3.4 0 0 1 3.2 8l1.4-1.4M6.2 9.8l3.6-3.6',
  menu: 'M2.5 4.2h11M2.5 8h11M2.5 11.8h11',
  minus: 'M3.5 8h9',
  out: 'M8 9.8V2.6M4.9 5.5 8 2.5l3.1 3M2.5 10.8v1.7a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-1.7',
  pause: 'M5.5 4v8M10.5 4v8',
  plus: 'M8 3.2v9.6M3.2 8h9.6',
  pulse: 'M1.8 8h2.6l2.1-4.4 3 8.8L11.6 8h2.6',
  resend:
    'M13 7.2A5.1 5.1 0 0 0 3.9 5L2.8 6.4M2.7 3.2v3.2h3.2M3 8.8A5.1 5.1 0 0 0 12.1 11l1.1-1.4M13.3 12.8V9.6h-3.2',
  right: 'M6 3.6 10.4 8 6 12.4',
  search: 'M11.3 7a4.3 4.3 0 1 1-8.6 0 4.3 4.3 0 0 1 8.6 0zM10.2 10.2l3.3 3.3',
  sheet: 'M3 3.8h10v9.4H3zM3 6.8h10M5.6 2.3v2.8M10.4 2.3v2.8M5.7 9.9h4.6',
  store:
    'M2.6 6.3 3.6 2.8h8.8l1 3.5M3.6 8.2v5h8.8v-5M2.6 6.3a1.8 1.8 0 0 0 3.6 0 1.8 1.8 0 0 0 3.6 0 1.8 1.8 0 0 0 3.6 0M6.7 13.2v-2.8h2.6v2.8',
  undo: 'M3.2 6.4h6.2a3.3 3.3 0 0 1 0 6.6H6M6 3.6 3.2 6.4 6 9.2',
  user: 'M10.7 5.3a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0zM3 13.5c.5-2.6 2.5-3.9 5-3.9s4.5 1.3 5 3.9',
  x: 'M4 4l8 8M12 4l-8 8',
} as const

export type IconName = keyof typeof PATHS

/** An icon, which says nothing to a screen reader: words stand beside it. */
export const icon = (name: IconName): Html =>
  html`<svg class="i" aria-hidden="true"><use href="#i-${name}"/></svg>`

const USED = /href="#i-([a-z]+)"/g

const isIcon = (name: string): name is IconName => Object.hasOwn(PATHS, name)

/** The drawings that a screen uses, and no others. */
export function spriteFor(screen: Html): Html {
  const names = new Set([...screen.text.matchAll(USED)].map(([, name = '']) => name))
  const symbols = [...names]
    .filter(isIcon)
    .map((name) => html`<symbol id="i-${name}" viewBox="0 0 16 16"><path d="${PATHS[name]}"/></symbol>`)
  return html`<svg class="sprite" aria-hidden="true"><defs>${symbols}</defs></svg>`
}

/** The barrier: a post and its striped arm. */
export const MARK = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><rect class="mark-post" x="2.5" y="9" width="5" height="13" rx="1"/><g transform="rotate(-28 5 10)"><rect class="mark-arm" x="3" y="7.4" width="20.5" height="5.2" rx="1"/><path class="mark-cut" d="M11.2 7.4h4.2l-1.8 5.2H9.4z"/></g></svg>`
