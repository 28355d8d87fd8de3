import type { OperatorPermission } from '@tollgate/contract/words'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import type { Page } from '../../frame.ts'
import { views } from '../../parts.ts'
import { refusedNote } from '../../refused.ts'
import type { Visit } from '../../visit.ts'

// What the screens of the catalogue share.

const TABS = [
  { name: 'Methods', href: '/catalogue', permission: 'catalogue.read' },
  { name: 'Payment operators', href: '/catalogue/operators', permission: 'catalogue.read' },
  { name: 'Currencies', href: '/catalogue/currencies', permission: 'catalogue.read' },
  { name: 'Fees', href: '/catalogue/fees', permission: 'catalogue.read' },
  { name: 'Our accounts', href: '/catalogue/accounts', permission: 'bank-accounts.read' },
  { name: 'Rails', href: '/catalogue/rails', permission: 'institutions.read' },
  { name: 'Why not offered?', href: '/catalogue/explain', permission: 'catalogue.read' },
  { name: 'Document', href: '/catalogue/document', permission: 'catalogue.read' },
  { name: 'Changes', href: '/catalogue/changes', permission: 'catalogue.read' },
] as const satisfies readonly {
  readonly name: string
  readonly href: string
  readonly permission: OperatorPermission
}[]

type Tab = (typeof TABS)[number]['name']

interface Part {
  readonly tab: Tab
  /** Of the part; the screen is called by its tab otherwise. */
  readonly title?: string
  readonly says?: HtmlValue
  readonly acts?: Html | undefined | false
  /** In place of the message about what was refused. */
  readonly refusal?: Html | undefined
  readonly content: HtmlValue
}

export function cataloguePage(visit: Visit, { tab, title, says, acts, refusal, content }: Part): Page {
  const tabs = TABS.filter(({ permission }) => visit.may(permission))
  return {
    title: title ?? (tab === 'Methods' ? 'Catalogue' : `${tab}: catalogue`),
    nav: 'Catalogue',
    content: html`<div class="head"><h1>Catalogue</h1>${says !== undefined && html`<p>${says}</p>`}${acts && html`<div class="acts">${acts}</div>`}</div>
${views(tabs.map(({ name, href }) => ({ name, href, isCurrent: name === tab })))}
${refusal ?? refusedNote(visit)}
${content}`,
  }
}
