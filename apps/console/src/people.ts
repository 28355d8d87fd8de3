import type {
  OperatorIdentityListSchema,
  OperatorPasskeyListSchema,
  OperatorSessionListSchema,
  ReadItem,
} from '@tollgate/contract'
import { OPERATOR_ROLES } from '@tollgate/contract/words'
import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, plural } from './format.ts'
import { roleName } from './frame.ts'
import { icon } from './icons.ts'
import { chip, copyButton, note, table } from './parts.ts'
import type { Visit } from './visit.ts'

// What the screens about people are built from.

export type Passkey = ReadItem<typeof OperatorPasskeyListSchema>
export type Identity = ReadItem<typeof OperatorIdentityListSchema>
export type Session = ReadItem<typeof OperatorSessionListSchema>

/** What is done with one row of a list: where its form goes. */
interface RowAct {
  readonly action: string
  readonly field: string
  readonly value: string
}

/** A press that asks once more, since what is gone is gone. */
export const sureForm = (
  { formToken, search }: Visit,
  { action, field, value }: RowAct,
  { words, says, button }: { readonly words: HtmlValue; readonly says: string; readonly button: string },
): Html =>
  html`<details class="sure"><summary class="btn btn-bare btn-bad">${words}</summary><form method="post" action="${action}${search}">${formToken}<input type="hidden" name="${field}" value="${value}"><p>${says}</p><button class="btn btn-bad">${button}</button></form></details>`

const stateOf = ({ isHalf }: Pick<Passkey, 'isHalf'>): Html =>
  isHalf ? chip('warn', 'user', 'Waits for confirmation') : chip('good', 'check', 'Active')

const originOf = ({ invitedBy, confirmedBy }: Pick<Passkey, 'invitedBy' | 'confirmedBy'>): Html =>
  html`${invitedBy !== undefined && html`invited by <span class="code">${invitedBy}</span>`}${confirmedBy !== undefined && html`${invitedBy !== undefined && ', '}confirmed by <span class="code">${confirmedBy}</span>`}`

/** Passkeys; with `removeAt`, each can be removed. */
export function passkeyTable(visit: Visit, passkeys: readonly Passkey[], removeAt: string | undefined): Html {
  const columns = [
    { name: 'Passkey' },
    { name: 'State' },
    { name: 'Last used, UTC', style: 'hide-sm' },
    { name: 'Registered, UTC', style: 'hide-md' },
    ...(removeAt === undefined ? [] : [{ name: 'Remove', style: 'n' }]),
  ]
  const rows = passkeys.map((passkey): readonly HtmlValue[] => [
    html`${passkey.name}<span class="sub code">${passkey.passkeyId}</span>`,
    html`${stateOf(passkey)}<span class="sub">${originOf(passkey)}</span>`,
    passkey.lastUsedAt === undefined
      ? html`<span class="quiet">never</span>`
      : momentHtml(passkey.lastUsedAt),
    html`<span class="quiet">${momentHtml(passkey.createdAt)}</span>`,
    ...(removeAt === undefined
      ? []
      : [
          sureForm(
            visit,
            { action: removeAt, field: 'passkeyId', value: passkey.passkeyId },
            {
              words: html`Remove<span class="vh"> ${passkey.name}</span>`,
              says: 'Its sessions end at once.',
              button: 'Remove it',
            },
          ),
        ]),
  ])
  return table('Passkeys', columns, rows)
}

/** Linked accounts; with `removeAt`, each can be removed. */
export function identityTable(
  visit: Visit,
  identities: readonly Identity[],
  removeAt: string | undefined,
): Html {
  const columns = [
    { name: 'Account' },
    { name: 'State' },
    { name: 'Last used, UTC', style: 'hide-sm' },
    { name: 'Linked, UTC', style: 'hide-md' },
    ...(removeAt === undefined ? [] : [{ name: 'Remove', style: 'n' }]),
  ]
  const rows = identities.map((identity): readonly HtmlValue[] => [
    html`<span class="code">${identity.subject}</span><span class="sub">${identity.issuer}</span>`,
    html`${stateOf(identity)}<span class="sub">${originOf(identity)}</span>`,
    identity.lastUsedAt === undefined
      ? html`<span class="quiet">never</span>`
      : momentHtml(identity.lastUsedAt),
    html`<span class="quiet">${momentHtml(identity.createdAt)}</span>`,
    ...(removeAt === undefined
      ? []
      : [
          sureForm(
            visit,
            { action: removeAt, field: 'identityId', value: identity.identityId },
            {
              words: html`Remove<span class="vh"> ${identity.subject}</span>`,
              says: 'Its sessions end at once. An invitation links it again.',
              button: 'Remove it',
            },
          ),
        ]),
  ])
  return table('Linked accounts', columns, rows)
}

/** As people say and type it: small letters, spaces or none between the groups. */
export function fingerprintOf(text: string): string {
  const letters = text.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

const METHODS: Readonly<Record<string, string>> = {
  KEY: 'Key',
  PASSKEY: 'Passkey',
  OIDC: 'Company account',
}
/** By what a session was made, in words. */
export const methodText = (method: string): string => METHODS[method] ?? method

/** Sessions that are open; with `endAt`, each but the own one can be ended. */
export function sessionTable(visit: Visit, sessions: readonly Session[], endAt: string | undefined): Html {
  const { formToken, search } = visit
  const columns = [
    { name: 'Session' },
    { name: 'By' },
    { name: 'Last used, UTC', style: 'hide-sm' },
    { name: 'Ends, UTC', style: 'hide-md' },
    ...(endAt === undefined ? [] : [{ name: 'End', style: 'n' }]),
  ]
  const end = ({ id, isCurrent }: Session): Html =>
    isCurrent
      ? html`<span class="quiet">This one</span>`
      : html`<form method="post" action="${endAt ?? ''}${search}">${formToken}<input type="hidden" name="sessionId" value="${id}"><button class="btn">End<span class="vh"> ${id}</span></button></form>`
  const rows = sessions.map((session): readonly HtmlValue[] => [
    html`<span class="code">${session.id}</span>`,
    html`${methodText(session.method)}<span class="sub code">${session.passkeyId ?? session.identityId ?? session.keyId ?? ''}</span>`,
    momentHtml(session.lastUsedAt),
    html`<span class="quiet">${momentHtml(session.expireAt)}</span>`,
    ...(endAt === undefined ? [] : [end(session)]),
  ])
  return table('Sessions', columns, rows)
}

/** A part of a screen about somebody, with what there is of it. */
export const part = (
  id: string,
  title: string,
  says: HtmlValue,
  list: { readonly count: number; readonly one: string; readonly content: Html; readonly none: HtmlValue },
): Html =>
  html`<section class="section" aria-labelledby="${id}"><div class="bar"><h2 id="${id}">${title}</h2><p>${list.count > 0 && `${plural(list.count, list.one)}. `}${says}</p></div>${list.count === 0 ? html`<p class="quiet">${list.none}</p>` : list.content}</section>`

const ROLE_SAYS: Readonly<Record<string, string>> = {
  AUDITOR: 'reads everything, changes nothing',
  SUPPORT: 'holds payments, sends callbacks again',
  FINANCE: 'statements, settlements, payout files, rates',
  APPROVER: 'approves payouts, decides proposals and reviews',
  CATALOGUE: 'methods, limits and fees',
  ADMIN: 'merchants, our bank accounts, operators',
}

/** Boxes for roles; what somebody ticked stays ticked. */
export const roleBoxes = (ticked: readonly string[], legend?: 'vh'): Html =>
  html`<fieldset class="checks"><legend${attributes({ class: legend })}>Roles</legend>${OPERATOR_ROLES.map((role) => html`<label><input type="checkbox" name="roles" value="${role}"${attributes({ checked: ticked.includes(role) })}><span>${roleName(role)}<small>${ROLE_SAYS[role]}</small></span></label>`)}</fieldset>`

export const rolesText = (roles: readonly string[]): string => roles.map(roleName).join(', ')

/** Roles that nobody has by the word of one administrator alone. */
const ROLES_OF_TWO: ReadonlySet<string> = new Set(['FINANCE', 'APPROVER', 'ADMIN'])
export const needsTwo = (roles: readonly string[]): boolean => roles.some((role) => ROLES_OF_TWO.has(role))

interface Shown {
  readonly title: string
  readonly secret: string
  /** Of the button that copies it. */
  readonly what: string
  readonly notes: readonly (HtmlValue | undefined)[]
  readonly way: Html
}

/** A secret that is shown this once. */
export const secretContent = ({ title, secret, what, notes, way }: Shown): Html =>
  html`<div class="touch-box"><h1>${title}</h1>
${note('warn', html`<b>Shown this once.</b> Only its hash is stored.`)}
<p class="cli section-s"><code tabindex="0">${secret}</code>${copyButton(what, secret)}</p>
${notes.map((each) => each !== undefined && each !== false && html`<p class="section-s">${each}</p>`)}
<p class="acts section-s">${way}</p></div>`

export const backTo = (href: string, words: string): Html =>
  html`<a class="btn" href="${href}">${icon('left')}${words}</a>`
