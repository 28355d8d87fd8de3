import {
  OperatorIdentityListSchema,
  OperatorIdentityRemovedSchema,
  OperatorPasskeyRemovedSchema,
  OperatorSessionEndedSchema,
  OperatorSessionListSchema,
  PasskeyCreationSchema,
  PasskeyRegisteredSchema,
  type Read,
} from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { answerOf, ceremony } from '../ceremony.ts'
import { type Page, rolesOf } from '../frame.ts'
import { icon } from '../icons.ts'
import { registered } from '../invitation.ts'
import { pathOf } from '../operator-api.ts'
import { facts, note } from '../parts.ts'
import {
  backTo,
  type Identity,
  identityTable,
  methodText,
  type Passkey,
  part,
  passkeyTable,
  type Session,
  sessionTable,
} from '../people.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'
import { ownMerchantOf } from './member-parts.ts'
import { passkeysOf } from './operator.ts'

const PATH = '/account'

/** Whoever is signed in: their passkeys and sessions. */
export const accountScreen: Screen = {
  path: PATH,
  permission: 'self.read',
  forMembers: true,
  async show(visit) {
    const [passkeys, identities, { data: sessions }] = await Promise.all([
      passkeysOf(visit.api),
      identitiesOf(visit),
      visit.api.get('/operator/sessions', OperatorSessionListSchema),
    ])
    return { title: 'Your account', content: content(visit, { passkeys, identities, sessions }) }
  },
  acts: {
    register: {
      permission: 'self.read',
      async perform(visit, form) {
        const begun = await visit.api.post('/operator/passkeys/!begin', PasskeyCreationSchema)
        return creationPage(visit, begun, (form.get('name') ?? '').trim())
      },
    },
    registered: {
      permission: 'self.read',
      async perform(visit, form) {
        const body = { ...answerOf(form), name: form.get('name') ?? '' }
        const passkey = await visit.api.post('/operator/passkeys/!finish', PasskeyRegisteredSchema, { body })
        return registeredPage(passkey)
      },
    },
    'remove-passkey': {
      permission: 'self.read',
      async perform({ api }, form) {
        const path = pathOf`/operator/passkeys/${form.get('passkeyId') ?? ''}`
        await api.remove(path, OperatorPasskeyRemovedSchema)
        return 'passkey-removed'
      },
    },
    'remove-identity': {
      permission: 'self.read',
      async perform({ api }, form) {
        const path = pathOf`/operator/identities/${form.get('identityId') ?? ''}`
        await api.remove(path, OperatorIdentityRemovedSchema)
        return 'identity-removed'
      },
    },
    'end-session': {
      permission: 'self.read',
      async perform({ api }, form) {
        const path = pathOf`/operator/sessions/${form.get('sessionId') ?? ''}`
        await api.remove(path, OperatorSessionEndedSchema)
        return 'session-ended'
      },
    },
  },
}

/** Merchants' people have passkeys alone. */
async function identitiesOf(visit: Visit): Promise<readonly Identity[]> {
  if (ownMerchantOf(visit) !== undefined) return []
  return (await visit.api.get('/operator/identities', OperatorIdentityListSchema)).data
}

interface Means {
  readonly passkeys: readonly Passkey[] | undefined
  readonly identities: readonly Identity[]
  readonly sessions: readonly Session[]
}

function content(visit: Visit, { passkeys, identities, sessions }: Means): Html {
  const { me } = visit
  const current = sessions.find(({ isCurrent }) => isCurrent)
  return html`<div class="head"><h1>Your account</h1></div>
${refusedNote(visit)}${doneNote(visit)}${halfNote(visit.me, passkeys, current)}${companyNote(identities, current)}
${facts([
  ['Name', me.name],
  ['Code', html`<span class="code">${me.operatorCode}</span>`],
  ['Roles in this session', rolesOf(me) || 'none'],
  ['Signed in by', current === undefined ? 'Unknown' : methodText(current.method)],
])}
<div class="people">${part('h-p', 'Passkeys', 'A touch on your own device', {
    count: passkeys?.length ?? 0,
    one: 'passkey',
    content: passkeyTable(visit, passkeys ?? [], `${PATH}/remove-passkey`),
    none: passkeys === undefined ? 'This gateway takes no passkeys.' : 'None.',
  })}
${passkeys !== undefined && current?.method !== 'OIDC' && registerForm(visit)}
${linkedAccounts(visit, identities, current)}
${part('h-s', 'Sessions', 'End those that you do not know', {
  count: sessions.length,
  one: 'session',
  none: 'None is open.',
  content: sessionTable(visit, sessions, `${PATH}/end-session`),
})}</div>`
}

/** A session of such an account removes none: that needs a touch. */
const linkedAccounts = (
  visit: Visit,
  identities: readonly Identity[],
  current: Session | undefined,
): Html | false =>
  identities.length > 0 &&
  part('h-a', 'Linked accounts', 'Of your company’s sign-in', {
    count: identities.length,
    one: 'account',
    none: 'None.',
    content: identityTable(
      visit,
      identities,
      current?.method === 'OIDC' ? undefined : `${PATH}/remove-identity`,
    ),
  })

const DONE: Readonly<Record<string, string>> = {
  'passkey-removed': 'The passkey was removed, and its sessions have ended.',
  'identity-removed': 'The link was removed, and its sessions have ended.',
  'session-ended': 'The session has ended.',
}

function doneNote({ query }: Visit): Html | undefined {
  const says = DONE[query.get('done') ?? '']
  return says === undefined ? undefined : note('good', says)
}

function halfNote(
  { memberRole }: Visit['me'],
  passkeys: readonly Passkey[] | undefined,
  current: Session | undefined,
): Html | undefined {
  const passkey = passkeys?.find(({ passkeyId }) => passkeyId === current?.passkeyId)
  if (passkey?.isHalf !== true) return undefined
  return note(
    'warn',
    html`<b>${passkey.name} waits for confirmation.</b> Until then it carries ${memberRole === undefined ? 'Auditor, Support and Catalogue only' : 'what Staff may'}. Tell the fingerprint that you were shown to an administrator${passkey.invitedBy !== undefined && ` other than ${passkey.invitedBy}`}.`,
  )
}

/** What such a session cannot do, before somebody tries. */
function companyNote(identities: readonly Identity[], current: Session | undefined): Html | undefined {
  if (current?.method !== 'OIDC') return undefined
  const { isHalf, invitedBy } = identities.find(({ identityId }) => identityId === current.identityId) ?? {}
  return html`${note('info', html`<b>Approvals and changes to people need a touch of a passkey.</b> Sign in with a passkey for them. If you have none, ask an administrator for an invitation.`)}${
    isHalf === true &&
    note(
      'warn',
      html`<b>Your account waits for confirmation.</b> Until then it carries Auditor, Support and Catalogue only. Tell the fingerprint that you were shown to an administrator${invitedBy !== undefined && ` other than ${invitedBy}`}.`,
    )
  }`
}

const registerForm = ({ formToken, refused }: Visit): Html =>
  html`<form class="decide by-end section-s register" method="post" action="${PATH}/register">${formToken}<label class="field grow"><span>Register another device</span><input class="input" name="name" value="${refused?.form.get('name') ?? ''}" required maxlength="140" placeholder="Phone" autocomplete="off"></label><button class="btn btn-mid">${icon('key')}Register</button></form>`

function creationPage({ formToken }: Visit, begun: Read<typeof PasskeyCreationSchema>, name: string): Page {
  const form = ceremony({
    begun,
    action: `${PATH}/registered`,
    isAtOnce: true,
    words: 'Register this device',
    fields: html`${formToken}<input type="hidden" name="name" value="${name}">`,
    more: html`<a class="btn btn-big" href="${PATH}">${icon('left')}Back</a>`,
    without: 'A passkey needs JavaScript. Nothing was registered.',
  })
  return {
    title: 'Register a passkey',
    content: html`<div class="touch-box"><h1>Register ${name}</h1><p class="quiet">Your device asks for your finger, face or PIN.</p>${form}</div>`,
  }
}

const registeredPage = (passkey: Read<typeof PasskeyRegisteredSchema>): Page => ({
  title: 'Passkey registered',
  content: html`<div class="touch-box"><h1>Passkey registered</h1>${registered(passkey)}<p class="acts section-s">${backTo(PATH, 'Your account')}</p></div>`,
})
