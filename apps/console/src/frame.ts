import type { OperatorPermission } from '@tollgate/contract/words'
import type { Asset } from '@tollgate/page-server'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { Assets } from './assets/index.ts'
import type { Cell, Cells } from './cells.ts'
import { keysButton, keysDialog, seekDialog } from './dialogs.ts'
import { momentText } from './format.ts'
import { type IconName, icon, MARK, spriteFor } from './icons.ts'
import type { LedgerCheck } from './ledger-watch.ts'
import { pathOf } from './operator-api.ts'

// What surrounds every screen: the bar with search and person, the navigation, and the document itself.

/** A screen as its route gives it. */
export interface Page {
  readonly title: string
  /** The entry of the navigation that it belongs to. */
  readonly nav?: NavName | undefined
  readonly content: Html
  readonly status?: number | undefined
  /** Its script asks the consoles of all cells. */
  readonly asksCells?: true
}

interface NavEntry {
  readonly name: string
  readonly href: string
  readonly icon: IconName
  readonly permission: OperatorPermission
}

/** Only screens that exist, in groups. Of two with one name, the first that is permitted is shown. */
const NAV = [
  [
    { name: 'Home', href: '/', icon: 'home', permission: 'self.read' },
    { name: 'Payments', href: '/payments', icon: 'in', permission: 'payouts.read' },
    { name: 'Payouts', href: '/payouts', icon: 'out', permission: 'payouts.read' },
    { name: 'Suspense', href: '/suspense', icon: 'link', permission: 'statements.read' },
    { name: 'Callbacks', href: '/callbacks', icon: 'callback', permission: 'callbacks.read' },
    { name: 'Reviews', href: '/reviews', icon: 'eye', permission: 'reviews.read' },
    { name: 'Confirmations', href: '/confirmations', icon: 'user', permission: 'confirmations.read' },
  ],
  [
    { name: 'Settlements', href: '/settlements', icon: 'sheet', permission: 'settlements.read' },
    { name: 'Balances', href: '/balances', icon: 'coins', permission: 'ledger.read' },
    { name: 'Rates', href: '/rates', icon: 'pulse', permission: 'rates.read' },
    { name: 'Bank files', href: '/bank-files', icon: 'bank', permission: 'payout-files.read' },
  ],
  [
    { name: 'Merchants', href: '/merchants', icon: 'store', permission: 'merchants.read' },
    { name: 'Catalogue', href: '/catalogue', icon: 'grid', permission: 'catalogue.read' },
    { name: 'Catalogue', href: '/catalogue/accounts', icon: 'grid', permission: 'bank-accounts.read' },
    { name: 'Operators', href: '/operators', icon: 'user', permission: 'operators.read' },
    { name: 'Audit log', href: '/audit', icon: 'audit', permission: 'operators.read' },
    { name: 'Health', href: '/health', icon: 'gauge', permission: 'health.read' },
  ],
] as const satisfies readonly (readonly NavEntry[])[]

/** Where there are several cells. */
const CELLS_NAV = {
  name: 'All cells',
  href: '/cells',
  icon: 'cell',
  permission: 'self.read',
} as const satisfies NavEntry

/** What merchants' people have: their own merchant. */
const memberNav = (merchantCode: string) =>
  [
    [
      { name: 'Home', href: '/', icon: 'home', permission: 'self.read' },
      { name: 'Payments', href: '/payments', icon: 'in', permission: 'payouts.read' },
      { name: 'Callbacks', href: '/callbacks', icon: 'callback', permission: 'callbacks.read' },
      {
        name: 'Customers',
        icon: 'user',
        permission: 'customers.read',
        href: pathOf`/merchants/${merchantCode}/customers`,
      },
    ],
    [
      {
        name: 'Settlements',
        icon: 'sheet',
        permission: 'settlements.read',
        href: pathOf`/settlements/${merchantCode}`,
      },
      { name: 'Balances', href: '/balances', icon: 'coins', permission: 'ledger.read' },
    ],
    [
      {
        name: 'Merchant',
        icon: 'store',
        permission: 'merchants.read',
        href: pathOf`/merchants/${merchantCode}`,
      },
      {
        name: 'People',
        icon: 'user',
        permission: 'people.read',
        href: pathOf`/merchants/${merchantCode}/people`,
      },
    ],
  ] as const satisfies readonly (readonly NavEntry[])[]

type NavName =
  | (typeof NAV | ReturnType<typeof memberNav>)[number][number]['name']
  | (typeof CELLS_NAV)['name']

/** Who is signed in, and what the frame offers them. */
export interface Viewer {
  readonly operatorCode: string
  readonly name: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  /** Of a merchant's person. */
  readonly merchantCode?: string
  readonly memberRole?: string
  /** The hidden field of the session's forms. */
  readonly formToken: Html
  /** What was searched for. */
  readonly searched: string
  /** The last check of the ledger, where it is known. */
  readonly ledgerCheck: LedgerCheck | undefined
  /** Of the screen. */
  readonly path: string
}

interface Surroundings {
  readonly assets: Assets
  readonly isLive: boolean
  readonly cells: Cells | undefined
}

/** A whole document; without a viewer it stands alone, as before signing in. */
export function documentOf(page: Page, surroundings: Surroundings, viewer: Viewer | undefined): Html {
  const body = viewer === undefined ? door(page, surroundings) : consoleOf(page, surroundings, viewer)
  const { stylesheet, script, cellScript } = surroundings.assets
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Tollgate</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${stylesheet.path}" integrity="${stylesheet.integrity}">
${scriptTag(script)}${page.asksCells && scriptTag(cellScript)}
</head>
<body class="${viewer === undefined ? 'door' : 'console'}">
${spriteFor(body)}
${body}
</body>
</html>
`
}

const scriptTag = ({ path, integrity }: Asset): Html =>
  html`<script src="${path}" integrity="${integrity}" crossorigin="anonymous" defer></script>`

const environmentChip = (isLive: boolean): Html =>
  isLive ? html`<span class="env">${icon('dot')}Live</span>` : html`<span class="env env-test">Sandbox</span>`

function consoleOf(page: Page, { isLive, cells }: Surroundings, viewer: Viewer): Html {
  return html`<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/" aria-label="Tollgate, home">${MARK}<span>Tollgate</span></a>
${searchBox(viewer.searched)}
${environmentChip(isLive)}${cells && cellMenu(cells, viewer)}
<a class="who" href="/account"><span class="face" aria-hidden="true">${initials(viewer.name)}</span><span class="vh">Your account: </span><span class="who-name">${viewer.name}<small>${rolesOf(viewer)}</small></span></a>
<a class="menu-open" href="#nav">${icon('menu')}<span class="vh">Open menu</span></a>
</header>
${navigation(page.nav, { ...viewer, cells })}
<main id="main" tabindex="-1">
${page.content}
</main>
${seekDialog}
${keysDialog}`
}

const searchBox = (searched: string): Html =>
  html`<form class="find" role="search" aria-label="Find" action="/search"><label class="vh" for="q">Search payments, merchants and pages</label>${icon('search')}<input id="q" name="q" type="search" placeholder="Payment, merchant or page" value="${searched}" maxlength="250" autocomplete="off"><kbd aria-hidden="true">Ctrl K</kbd></form>`

const permittedIn = (entries: readonly NavEntry[], permissions: readonly string[]): readonly NavEntry[] =>
  entries
    .filter(({ permission }) => permissions.includes(permission))
    .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index)

const ACCOUNT: NavEntry = { name: 'Your account', href: '/account', icon: 'user', permission: 'self.read' }

/** Which cell this is, and the way to the consoles of the others: to the same list, else to their beginning. */
function cellMenu({ own, all }: Cells, { path, merchantCode }: Viewer): Html {
  // A merchant is in one cell, and so are its people.
  if (merchantCode !== undefined) return cellChip(own)
  const isList = path.startsWith(CELLS_NAV.href) || NAV.flat().some(({ href }) => href === path)
  const links = all.map((cell) =>
    cell === own
      ? html`<li><a href="${path}" aria-current="true">Cell ${cell.letter}<small>This console</small></a></li>`
      : html`<li><a href="${cell.origin}${isList ? path : '/'}">Cell ${cell.letter}<small>${new URL(cell.origin).host}</small></a></li>`,
  )
  return html`<details class="pill pill-on cells"><summary>Cell <b>${own.letter}</b>${icon('down')}<span class="vh">Other cells</span></summary><nav class="pop" aria-label="Cells"><ul>${links}</ul></nav></details>`
}

const cellChip = ({ letter }: Cell): Html => html`<span class="env env-cell">Cell ${letter}</span>`

/** Whose pages: of the house, or of a merchant. */
type Visitor = Pick<Viewer, 'permissions'> & {
  readonly merchantCode?: string | undefined
  readonly cells: Cells | undefined
}

function navOf({ merchantCode, cells }: Visitor): readonly (readonly NavEntry[])[] {
  if (merchantCode !== undefined) return memberNav(merchantCode)
  const [[home, ...daily], ...others] = NAV
  return cells === undefined ? NAV : [[home, CELLS_NAV, ...daily], ...others]
}

/** The pages that somebody may open from anywhere. */
export const pagesFor = (visitor: Visitor): readonly NavEntry[] =>
  permittedIn([...navOf(visitor).flat(), ACCOUNT], visitor.permissions)

function navigation(
  current: NavName | undefined,
  viewer: Viewer & { readonly cells: Cells | undefined },
): Html {
  const { operatorCode, formToken, ledgerCheck } = viewer
  const groups = navOf(viewer).map((entries) => permittedIn(entries, viewer.permissions))
  const lists = groups.map(
    (entries) =>
      entries.length > 0 &&
      html`<ul>${entries.map((entry) => navItem(entry, current))}</ul>
`,
  )
  return html`<nav class="side" id="nav" aria-label="Main">
<a class="menu-close" href="#main">${icon('x')}Close menu</a>
${lists}<p class="only-sm"><a href="/account">${icon('user')}Your account</a></p>
<div class="side-foot">${ledgerCheck && ledgerFoot(ledgerCheck)}<form method="post" action="/sign-out">${formToken}<button class="btn btn-bare">Sign out ${operatorCode}</button></form>${keysButton}</div>
</nav>`
}

const navItem = ({ href, name, icon: sign }: NavEntry, current: NavName | undefined): Html =>
  html`<li><a href="${href}"${attributes({ 'aria-current': name === current ? 'page' : undefined })}>${icon(sign)}<span>${name}</span></a></li>
`

/** "Ledger balanced", only by a check that was run. */
function ledgerFoot({ checkedAt, findings }: LedgerCheck): Html {
  const at = momentText(checkedAt).replace(/ \d{4}(, .*):\d\d$/, '$1')
  return findings === 0
    ? html`<p><span class="ok">${icon('check')}</span> Ledger balanced<small>Verified at ${at} UTC</small></p>`
    : html`<p class="bad">${icon('alert')} Ledger check: ${findings} ${findings === 1 ? 'finding' : 'findings'}<small>At ${at} UTC</small></p>`
}

const ROLE_NAMES: Readonly<Record<string, string>> = {
  AUDITOR: 'Auditor',
  SUPPORT: 'Support',
  FINANCE: 'Finance',
  APPROVER: 'Approver',
  CATALOGUE: 'Catalogue',
  ADMIN: 'Admin',
}

export const roleName = (role: string): string => ROLE_NAMES[role] ?? role

const MEMBER_ROLE_NAMES: Readonly<Record<string, string>> = { ADMIN: 'Admin', STAFF: 'Staff' }
export const memberRoleName = (role: string): string => MEMBER_ROLE_NAMES[role] ?? role

/** In words: the roles of the house, or what somebody is at a merchant. */
export const rolesOf = ({
  roles,
  merchantCode,
  memberRole,
}: Pick<Viewer, 'roles' | 'merchantCode' | 'memberRole'>): string =>
  merchantCode === undefined || memberRole === undefined
    ? roles.map(roleName).join(', ')
    : `${memberRoleName(memberRole)} of ${merchantCode}`

/** Two letters for the face of a person. */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => /^\p{L}/u.test(word))
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : [name.slice(0, 2)]
  return letters.join('').toUpperCase()
}

const STRIPES = [-300, -110, 80, 270, 460, 650, 840].map(
  (x) => html`<path class="a1" d="M${x} 900 L${x + 520} 0 h70 L${x + 70} 900z"/>`,
)
const CUTS = [96, 236, 376, 516, 656, 796].map((x) => html`<path class="a3" d="M${x} -34h66l-34 68h-66z"/>`)
const ART = html`<div class="door-art-box"><svg class="door-art" viewBox="0 0 800 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><rect class="a0" width="800" height="900"/>${STRIPES}<rect class="a3" x="168" y="520" width="74" height="400" rx="6"/><rect class="a4" x="168" y="560" width="74" height="26"/><g transform="translate(205 540) rotate(-34)"><rect class="a2" x="-90" y="-34" width="980" height="68" rx="10"/>${CUTS}<circle class="a0" r="26"/><circle class="a3" r="12"/></g></svg></div>`

function door(page: Page, { isLive, cells }: Surroundings): Html {
  return html`<main id="main">
<div class="acts"><a class="brand" href="/" aria-label="Tollgate, home">${MARK}<span>Tollgate</span></a>${environmentChip(isLive)}${cells && cellChip(cells.own)}</div>
<div class="door-form">${page.content}</div>
<p class="door-foot">What you do here is recorded under your name.</p>
</main>
${ART}`
}

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect x="2.5" y="9" width="5" height="13" rx="1" fill="#7f8794"/><g transform="rotate(-28 5 10)"><rect x="3" y="7.4" width="20.5" height="5.2" rx="1" fill="#2b4bd0"/></g></svg>`
