import {
  MemberInvitedSchema,
  MemberListSchema,
  MemberSchema,
  OperatorMerchantDetailSchema,
  OperatorPasskeySchema,
  type ReadItem,
} from '@tollgate/contract'
import { MEMBER_ROLES } from '@tollgate/contract/words'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentText } from '../format.ts'
import { actButton, actForm, folded, given, looseNote, selectField, textField, typedInto } from '../forms.ts'
import { memberRoleName, type Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, empty, note, table } from '../parts.ts'
import { backTo, fingerprintOf, secretContent } from '../people.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { merchantSteps, ownMerchantOf } from './member-parts.ts'
import { crumbs, merchantRoute } from './merchant-parts.ts'
import { accountChip } from './operators.ts'

type Member = ReadItem<typeof MemberListSchema>

export const peopleHref = (merchantCode: string): string => pathOf`/merchants/${merchantCode}/people`
const routeOf = (merchantCode: string): string => pathOf`/operator/merchants/${merchantCode}/people`

/** The people of a merchant: for administrators of the house, and for those of the merchant. */
export const peopleScreen: Screen = {
  path: '/merchants/:merchantCode/people',
  permission: 'people.read',
  forMembers: true,
  async show(visit) {
    const merchantCode = visit.name('merchantCode')
    const [{ data }, { channel }] = await Promise.all([
      visit.api.get(routeOf(merchantCode), MemberListSchema),
      visit.api.get(merchantRoute(merchantCode), OperatorMerchantDetailSchema),
    ])
    const isOwn = ownMerchantOf(visit) !== undefined
    return {
      title: `${merchantCode}: people`,
      nav: isOwn ? 'People' : 'Merchants',
      content: html`${crumbs(merchantSteps(visit, merchantCode), 'People')}
<div class="head"><h1>People of ${channel.name}</h1><p>They see ${isOwn ? 'this merchant' : merchantCode} and nothing else</p></div>
${looseNote(visit)}${doneNote(visit)}
${visit.may('people.change') && inviteFold(visit, merchantCode)}
${visit.may('operators.change') && data.flatMap((member) => halfParts(visit, member))}
${data.length === 0 ? empty('user', 'Nobody yet', { says: 'Whoever is invited signs in by passkey.' }) : peopleTable(visit, data)}`,
    }
  },
  acts: {
    invite: { permission: 'people.change', isOnce: true, perform: invite },
    'invite-again': { permission: 'people.change', isOnce: true, perform: inviteAgain },
    role: {
      permission: 'people.change',
      async perform({ api, name }, form) {
        const role = given(form, 'role') ?? ''
        await api.put(`${oneOf(name('merchantCode'), form)}/role`, MemberSchema, { body: { role } })
        return 'role'
      },
    },
    'confirm-passkey': {
      permission: 'operators.change',
      async perform({ api }, form) {
        const path = pathOf`/operator/passkeys/${form.get('passkeyId') ?? ''}/!confirm`
        const fingerprint = fingerprintOf(form.get('fingerprint') ?? '')
        await api.post(path, OperatorPasskeySchema, { body: { fingerprint } })
        return 'confirmed'
      },
    },
    enable: statusAct('enable'),
    disable: statusAct('disable'),
  },
}

const oneOf = (merchantCode: string, form: URLSearchParams): string =>
  pathOf`/operator/merchants/${merchantCode}/people/${form.get('operatorCode') ?? ''}`

function statusAct(action: 'enable' | 'disable'): Act {
  return {
    permission: 'people.change',
    async perform({ api, name }, form) {
      await api.post(`${oneOf(name('merchantCode'), form)}/!${action}`, MemberSchema)
      return action
    },
  }
}

const DONE: Readonly<Record<string, string>> = {
  role: 'The role is set.',
  confirmed: 'Confirmed: by this passkey they may do what their role says.',
  enable: 'Enabled: they may sign in again.',
  disable: 'Disabled: they are signed out, and their invitations have ended.',
}

function doneNote({ query }: Visit): Html | undefined {
  const says = DONE[query.get('done') ?? '']
  return says === undefined ? undefined : note('good', says)
}

const ROLE_SAYS: Readonly<Record<string, string>> = {
  STAFF: 'Staff: reads everything of the merchant, sends callbacks again',
  ADMIN: 'Admin: also changes signing keys and people',
}
const ROLE_CHOICES = MEMBER_ROLES.toReversed().map((value) => ({ value, words: ROLE_SAYS[value] ?? value }))

function inviteFold(visit: Visit, merchantCode: string): Html {
  const typed = typedInto(visit, 'invite')
  const fields = html`${textField({ name: 'person', label: 'Short name', value: typed.value('person'), isRequired: true, isCode: true, maxLength: 64, hint: `Permanent: lower-case letters, digits, . _ -. It becomes name@${merchantCode}` })}${textField({ name: 'name', label: 'Name', value: typed.value('name'), isRequired: true, maxLength: 140 })}${selectField({ name: 'role', label: 'Role', value: typed.value('role', 'STAFF'), choices: ROLE_CHOICES, isWide: true })}`
  const form = actForm(visit, { path: visit.path, verb: 'invite', fields, button: 'Make the invitation' })
  return html`<div class="fold-row">${folded('Invite a person', form, typed.isRefused)}</div>`
}

async function invite(visit: Visit, form: URLSearchParams): Promise<Page> {
  const body = {
    person: given(form, 'person') ?? '',
    name: given(form, 'name') ?? '',
    role: given(form, 'role') ?? '',
  }
  return invitedPage(
    visit,
    await visit.api.post(routeOf(visit.name('merchantCode')), MemberInvitedSchema, { body }),
  )
}

async function inviteAgain(visit: Visit, form: URLSearchParams): Promise<Page> {
  const path = `${oneOf(visit.name('merchantCode'), form)}/!invite`
  return invitedPage(visit, await visit.api.post(path, MemberInvitedSchema))
}

interface Invited {
  readonly name: string
  readonly operatorCode: string
  readonly link: string
  readonly expireAt: string
}

function invitedPage(visit: Visit, { name, operatorCode, link, expireAt }: Invited): Page {
  return {
    title: `Invitation of ${name}`,
    nav: ownMerchantOf(visit) === undefined ? 'Merchants' : 'People',
    content: secretContent({
      title: `Invite ${name}`,
      secret: link,
      what: 'the link',
      notes: [
        html`Send it to <span class="code">${operatorCode}</span> by a safe way: whoever opens it first is that person. It registers one passkey, until ${momentText(expireAt)} UTC.`,
      ],
      way: backTo(peopleHref(visit.name('merchantCode')), 'People'),
    }),
  }
}

/** Whom one operator invited is more than staff only once another one has asked them. */
const halfParts = (visit: Visit, { name, operatorCode, role, halfPasskeys = [] }: Member): readonly Html[] =>
  (role === 'ADMIN' ? halfPasskeys : []).map((passkeyId) => {
    const key = `confirm-${passkeyId}`
    const typed = typedInto(visit, key)
    const fields = html`<input type="hidden" name="passkeyId" value="${passkeyId}"><p class="prose">Until then it carries what Staff may. Ask <span class="code">${operatorCode}</span>, in person or by phone, for the fingerprint that they were shown. If they have none, somebody else registered this passkey: disable them. Whoever invited them does not confirm it.</p>${textField({ name: 'fingerprint', label: 'Fingerprint', value: typed.value('fingerprint'), isRequired: true, isCode: true, maxLength: 40, placeholder: '7KQ2-M8X4-TJ5N' })}`
    const form = actForm(visit, { path: visit.path, verb: 'confirm-passkey', key, fields, button: 'Confirm' })
    return html`<div class="fold-row">${folded(`Confirm the passkey of ${name}`, form, true, 'check')}</div>`
  })

function peopleTable(visit: Visit, members: readonly Member[]): Html {
  const mayChange = visit.may('people.change')
  const columns = [
    { name: 'Person' },
    { name: 'State' },
    { name: 'Role' },
    { name: 'Passkeys', style: 'n hide-sm' },
    ...(mayChange ? [{ name: 'Change', style: 'n' }] : []),
  ]
  const rows = members.map((member): readonly HtmlValue[] => [
    html`${member.name}<span class="sub code">${member.operatorCode}</span>`,
    stateOf(member),
    memberRoleName(member.role),
    member.passkeys,
    ...(mayChange ? [changesOf(visit, member)] : []),
  ])
  return table('People, by their codes', columns, rows)
}

const stateOf = ({ status, passkeys, invitedUntil }: Member): Html =>
  status === 'ACTIVE' && passkeys === 0
    ? invitedUntil === undefined
      ? chip('warn', 'clock', 'Invitation ended')
      : html`${chip('info', 'clock', 'Invited')}<span class="sub">until ${momentText(invitedUntil)}</span>`
    : accountChip(status)

function changesOf(visit: Visit, { operatorCode, name, role, status }: Member): Html {
  if (operatorCode === visit.me.operatorCode) return html`<span class="quiet">You</span>`
  const press = (
    verb: string,
    words: string,
    style = '',
    more: Readonly<Record<string, string>> = {},
  ): Html =>
    actButton(visit, {
      path: visit.path,
      verb,
      style,
      hidden: { operatorCode, ...more },
      words: html`${words}<span class="vh"> ${name}</span>`,
    })
  const other = role === 'ADMIN' ? 'STAFF' : 'ADMIN'
  const presses =
    status === 'ACTIVE'
      ? html`${press('invite-again', 'Invite again')}${press('role', `Make ${memberRoleName(other).toLowerCase()}`, '', { role: other })}${press('disable', 'Disable', 'btn-bad')}`
      : press('enable', 'Enable', 'btn-main')
  return html`<details class="sure"><summary class="btn btn-bare">${icon('edit')}Change<span class="vh"> ${name}</span></summary><div class="stack-s">${presses}</div></details>`
}
