import type { OperatorAccountDetailSchema, Read } from '@tollgate/contract'
import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml } from '../format.ts'
import { icon } from '../icons.ts'
import { chip, note, table } from '../parts.ts'
import {
  identityTable,
  type Passkey,
  part,
  passkeyTable,
  roleBoxes,
  rolesText,
  type Session,
  sessionTable,
  sureForm,
} from '../people.ts'
import { refusedNote } from '../refused.ts'
import type { Visit } from '../visit.ts'
import { accountChip } from './operators.ts'

type Account = Read<typeof OperatorAccountDetailSchema>
type Key = Account['keys'][number]

interface Person {
  readonly account: Account
  /** Undefined where the gateway takes no passkeys. */
  readonly passkeys: readonly Passkey[] | undefined
  readonly sessions: readonly Session[]
}

/** The screen of one operator; what may not be changed has no buttons. */
export function operatorContent(visit: Visit, person: Person): Html {
  const { account } = person
  const isOwn = account.operatorCode === visit.me.operatorCode
  const mayChange = visit.may('operators.change') && !isOwn
  return html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/operators">Operators</a>${icon('right')}<span class="code" aria-current="page">${account.operatorCode}</span></nav>
<div class="head"><h1>${account.name}</h1>${accountChip(account.status)}<p>${rolesText(account.roles)}</p></div>
${refusedNote(visit)}${doneNote(visit)}${isOwn && OWN}
<div${attributes({ class: mayChange ? 'split' : undefined })}><div class="people">${mayChange && waiting(visit, waitingOf(person))}
${lists(visit, person, mayChange)}</div>
${mayChange && html`<aside class="side-panel" aria-label="Changes">${invitePanel(visit, account)}${rolesPanel(visit, account)}${statusPanel(visit, account)}</aside>`}</div>`
}

const OWN = note(
  'info',
  html`This is your own account: another administrator changes it. Your passkeys and sessions are in <a href="/account">your account</a>.`,
)

function lists(visit: Visit, { account, passkeys, sessions }: Person, mayChange: boolean): Html {
  const at = (act: string): string | undefined => (mayChange ? `${visit.path}/${act}` : undefined)
  return html`${part('h-p', 'Passkeys', 'A touch on their own device', {
    count: passkeys?.length ?? 0,
    one: 'passkey',
    content: passkeyTable(visit, passkeys ?? [], at('remove-passkey')),
    none: passkeys === undefined ? NO_PASSKEYS : 'None. An invitation registers one.',
  })}
${
  account.identities.length > 0 &&
  part('h-a', 'Linked accounts', 'Of the company’s sign-in', {
    count: account.identities.length,
    one: 'account',
    none: 'None.',
    content: identityTable(visit, account.identities, at('remove-identity')),
  })
}
${part('h-k', 'Keys', 'At most two, so that one can replace the other', {
  count: account.keys.length,
  one: 'key',
  none: 'None.',
  content: keyTable(visit, account.keys, mayChange),
})}
${part('h-s', 'Sessions', 'Open now', {
  count: sessions.length,
  one: 'session',
  none: 'None is open.',
  content: sessionTable(visit, sessions, at('end-session')),
})}`
}

const NO_PASSKEYS = 'This gateway takes no passkeys: TOLLGATE_PUBLIC_CONSOLE_URL is not set.'

const DONE: Readonly<Record<string, string>> = {
  roles: 'The roles are set, from the next request on.',
  disabled: 'Disabled. Sessions and invitations have ended; no key or passkey works.',
  enabled: 'Enabled. Keys and passkeys work again; sessions that ended stay ended.',
  'key-removed': 'The key was removed.',
  'passkey-removed': 'The passkey was removed, and its sessions have ended.',
  'identity-removed': 'The link was removed, and its sessions have ended.',
  'identity-confirmed': 'Confirmed: the linked account carries all their roles.',
  confirmed: 'Confirmed: the passkey carries all their roles.',
  'session-ended': 'The session has ended.',
}

function doneNote({ query }: Visit): Html | undefined {
  const says = DONE[query.get('done') ?? '']
  return says === undefined ? undefined : note('good', says)
}

/** What another administrator confirms: a passkey or a linked account. */
interface Waiting {
  readonly id: string
  readonly name: string
  readonly invitedBy: string | undefined
  readonly act: string
  readonly field: string
  /** What whoever has no fingerprint says of it. */
  readonly other: string
}

function waitingOf({ account, passkeys = [] }: Person): readonly Waiting[] {
  const halfPasskeys = passkeys.filter(({ isHalf }) => isHalf)
  const halfAccounts = account.identities.filter(({ isHalf }) => isHalf)
  return [
    ...halfPasskeys.map(({ passkeyId, name, invitedBy }) => ({
      id: passkeyId,
      name,
      invitedBy,
      act: 'confirm',
      field: 'passkeyId',
      other: 'somebody else registered this passkey',
    })),
    ...halfAccounts.map(({ identityId, subject, invitedBy }) => ({
      id: identityId,
      name: `account ${subject}`,
      invitedBy,
      act: 'confirm-identity',
      field: 'identityId',
      other: 'somebody else linked this account',
    })),
  ]
}

/** First, because somebody waits for it. */
function waiting(visit: Visit, waits: readonly Waiting[]): HtmlValue {
  const { me, formToken, path, search, refused } = visit
  return waits.map(({ id, name, invitedBy, act, field, other }) => {
    if (invitedBy === me.operatorCode)
      return note(
        'info',
        html`<b>${name} waits for confirmation.</b> You invited them, so another administrator confirms it.`,
      )
    const typed = refused?.form.get(field) === id ? (refused.form.get('fingerprint') ?? '') : ''
    return html`<section class="panel" aria-label="Confirm ${name}"><h2>Confirm ${name} <span class="quiet code">${id}</span></h2><form class="panel-body" method="post" action="${path}/${act}${search}">${formToken}<input type="hidden" name="${field}" value="${id}"><p class="prose">${invitedBy !== undefined && html`<span class="code">${invitedBy}</span> invited them. `}It carries Auditor, Support and Catalogue only. Ask them, in person or by phone, for the fingerprint that they were shown. If they have none, ${other}: remove it.</p><div class="decide section-s"><label class="field grow"><span class="vh">Fingerprint</span><input class="input code" name="fingerprint" value="${typed}" required maxlength="40" placeholder="7KQ2-M8X4-TJ5N" autocomplete="off" spellcheck="false" autocapitalize="characters"></label><button class="btn btn-main btn-mid">${icon('check')}Confirm</button></div></form></section>`
  })
}

const stateOfKey = ({ madeBy, secondedBy }: Key): Html =>
  madeBy === undefined || secondedBy !== undefined
    ? chip('good', 'check', 'Complete')
    : chip('warn', 'user', 'One half')

const makers = ({ madeBy, secondedBy }: Key): Html =>
  madeBy === undefined
    ? html`by the command line`
    : html`by <span class="code">${madeBy}</span>${secondedBy !== undefined && html` and <span class="code">${secondedBy}</span>`}`

function keyTable(visit: Visit, keys: readonly Key[], mayChange: boolean): Html {
  const columns = [
    { name: 'Key' },
    { name: 'State' },
    { name: 'Until, UTC', style: 'hide-sm' },
    { name: 'Created, UTC', style: 'hide-md' },
    ...(mayChange ? [{ name: 'Change', style: 'n' }] : []),
  ]
  const rows = keys.map((key): readonly HtmlValue[] => [
    html`<span class="code">${key.keyId}</span>`,
    html`${stateOfKey(key)}<span class="sub">${makers(key)}</span>`,
    key.expiresAt === undefined ? html`<span class="quiet">until removed</span>` : momentHtml(key.expiresAt),
    html`<span class="quiet">${momentHtml(key.createdAt)}</span>`,
    ...(mayChange ? [keyActs(visit, key)] : []),
  ])
  return html`${table('Keys', columns, rows)}${keys.some(isHalf) && html`<p class="hint section-s">One half carries Auditor, Support and Catalogue only. An administrator who did not make it adds the second.</p>`}`
}

const isHalf = ({ madeBy, secondedBy }: Key): boolean => madeBy !== undefined && secondedBy === undefined

function keyActs(visit: Visit, key: Key): Html {
  const { path, formToken, search, me } = visit
  const second =
    isHalf(key) &&
    key.madeBy !== me.operatorCode &&
    html`<form method="post" action="${path}/second${search}">${formToken}<input type="hidden" name="keyId" value="${key.keyId}"><button class="btn">Add second half<span class="vh"> of ${key.keyId}</span></button></form>`
  const remove = sureForm(
    visit,
    { action: `${path}/remove-key`, field: 'keyId', value: key.keyId },
    {
      words: html`Remove<span class="vh"> ${key.keyId}</span>`,
      says: 'Its sessions end at once.',
      button: 'Remove it',
    },
  )
  return html`<div class="row-acts">${second}${remove}</div>`
}

function invitePanel(
  { path, formToken, search, refused }: Visit,
  { name, status }: Account,
): Html | undefined {
  if (status !== 'ACTIVE') return undefined
  return html`<section class="panel" aria-labelledby="h-i"><h2 id="h-i">Give access</h2><div class="panel-body"><form method="post" action="${path}/invite${search}">${formToken}<p class="hint">A link for one passkey or company account, for 24 hours.</p><p class="section-s"><button class="btn btn-wide">${icon('link')}Invite ${name}</button></p></form></div><form class="panel-foot" method="post" action="${path}/key${search}">${formToken}<div class="decide by-end"><label class="field grow"><span>Days that a key lives</span><input class="input" name="days" inputmode="numeric" maxlength="6" value="${refused?.form.get('days') ?? ''}" placeholder="until removed" autocomplete="off"></label><button class="btn btn-mid">${icon('key')}Create a key</button></div></form></section>`
}

function rolesPanel({ path, formToken, search, refused }: Visit, { roles }: Account): Html {
  const typed = refused?.form.get('of') === 'roles' ? refused.form.getAll('roles') : roles
  return html`<section class="panel" aria-labelledby="h-r"><h2 id="h-r">Roles</h2><form class="panel-body" method="post" action="${path}/roles${search}">${formToken}<input type="hidden" name="of" value="roles">${roleBoxes(typed, 'vh')}<p class="acts section-s"><button class="btn">Set the roles</button><span class="hint">Admin and Approver exclude each other.</span></p></form></section>`
}

function statusPanel({ path, formToken, search }: Visit, { name, status }: Account): Html {
  const form =
    status === 'ACTIVE'
      ? html`<p class="hint">All sessions and invitations end at once. No key or passkey works.</p><p class="section-s"><button class="btn btn-bad" formaction="${path}/disable${search}">${icon('pause')}Disable ${name}</button></p>`
      : html`<p class="hint">Keys and passkeys work again.</p><p class="section-s"><button class="btn" formaction="${path}/enable${search}">Enable ${name}</button></p>`
  return html`<section class="panel" aria-labelledby="h-d"><h2 id="h-d">${status === 'ACTIVE' ? 'Disable' : 'Disabled'}</h2><form class="panel-body" method="post">${formToken}${form}</form></section>`
}
