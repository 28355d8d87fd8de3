import {
  OperatorAccountDetailSchema,
  OperatorAccountSchema,
  OperatorIdentityRemovedSchema,
  OperatorIdentitySchema,
  OperatorInvitedSchema,
  OperatorKeyAddedSchema,
  OperatorKeyRemovedSchema,
  OperatorKeySecondedSchema,
  OperatorPasskeyListSchema,
  OperatorPasskeyRemovedSchema,
  OperatorPasskeySchema,
  OperatorSessionEndedSchema,
  OperatorSessionListSchema,
  type Read,
} from '@tollgate/contract'
import { html } from '@tollgate/runtime/html'
import { momentText } from '../format.ts'
import type { Page } from '../frame.ts'
import { ApiRefusal, type OperatorApi, pathOf } from '../operator-api.ts'
import { backTo, fingerprintOf, needsTwo, type Passkey, secretContent } from '../people.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { operatorContent } from './operator-parts.ts'

/** One operator: roles, passkeys, keys and sessions, and what an administrator changes. */
export const operatorScreen: Screen = {
  path: '/operators/:operatorCode',
  permission: 'operators.read',
  async show(visit) {
    const code = visit.name('operatorCode')
    const [account, passkeys, sessions] = await Promise.all([
      visit.api.get(apiPath(visit), OperatorAccountDetailSchema),
      passkeysOf(visit.api, code),
      visit.api.get('/operator/sessions', OperatorSessionListSchema, { operatorCode: code }),
    ])
    return {
      title: account.name,
      nav: 'Operators',
      content: operatorContent(visit, { account, passkeys, sessions: sessions.data }),
    }
  },
  acts: {
    roles: change('roles', (visit, form) =>
      visit.api.put(`${apiPath(visit)}/roles`, OperatorAccountSchema, {
        body: { roles: form.getAll('roles') },
      }),
    ),
    // A brake: no touch stands before it.
    disable: change('disabled', (visit) =>
      visit.api.post(`${apiPath(visit)}/!disable`, OperatorAccountSchema),
    ),
    enable: change('enabled', (visit) => visit.api.post(`${apiPath(visit)}/!enable`, OperatorAccountSchema)),
    'remove-key': change('key-removed', (visit, form) =>
      visit.api.remove(keyPath(visit, form), OperatorKeyRemovedSchema),
    ),
    'remove-passkey': change('passkey-removed', (visit, form) =>
      visit.api.remove(
        pathOf`/operator/passkeys/${form.get('passkeyId') ?? ''}`,
        OperatorPasskeyRemovedSchema,
      ),
    ),
    confirm: change('confirmed', (visit, form) =>
      visit.api.post(
        pathOf`/operator/passkeys/${form.get('passkeyId') ?? ''}/!confirm`,
        OperatorPasskeySchema,
        { body: { fingerprint: fingerprintOf(form.get('fingerprint') ?? '') } },
      ),
    ),
    'remove-identity': change('identity-removed', (visit, form) =>
      visit.api.remove(
        pathOf`/operator/identities/${form.get('identityId') ?? ''}`,
        OperatorIdentityRemovedSchema,
      ),
    ),
    'confirm-identity': change('identity-confirmed', (visit, form) =>
      visit.api.post(
        pathOf`/operator/identities/${form.get('identityId') ?? ''}/!confirm`,
        OperatorIdentitySchema,
        { body: { fingerprint: fingerprintOf(form.get('fingerprint') ?? '') } },
      ),
    ),
    'end-session': change('session-ended', (visit, form) =>
      visit.api.remove(pathOf`/operator/sessions/${form.get('sessionId') ?? ''}`, OperatorSessionEndedSchema),
    ),
    key: { permission: 'operators.change', perform: addKey },
    second: { permission: 'operators.change', perform: addSecondHalf },
    invite: { permission: 'operators.change', perform: invite },
  },
}

const apiPath = ({ name }: Visit): string => pathOf`/operator/operators/${name('operatorCode')}`

const keyPath = ({ name }: Visit, form: URLSearchParams): string =>
  pathOf`/operator/operators/${name('operatorCode')}/keys/${form.get('keyId') ?? ''}`

function change(done: string, ask: (visit: Visit, form: URLSearchParams) => Promise<unknown>): Act {
  return {
    permission: 'operators.change',
    async perform(visit, form) {
      await ask(visit, form)
      return done
    },
  }
}

/** Undefined where the gateway takes no passkeys. */
export async function passkeysOf(
  api: OperatorApi,
  operatorCode?: string,
): Promise<readonly Passkey[] | undefined> {
  try {
    return (await api.get('/operator/passkeys', OperatorPasskeyListSchema, { operatorCode })).data
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 404) throw error
    return undefined
  }
}

async function addKey(visit: Visit, form: URLSearchParams): Promise<Page> {
  const days = (form.get('days') ?? '').trim()
  // What is no number is left for the API to refuse.
  const body = days === '' ? {} : { days: /^\d{1,6}$/.test(days) ? Number(days) : days }
  const { key, keyId } = await visit.api.post(`${apiPath(visit)}/keys`, OperatorKeyAddedSchema, { body })
  const account = await visit.api.get(apiPath(visit), OperatorAccountDetailSchema)
  const isHalf = needsTwo(account.roles)
  return shown(visit, account, `A key for ${account.name}`, {
    secret: key,
    what: 'the key',
    notes: [
      html`It is <span class="code">${keyId}</span>. Give it to them so that nobody else reads it.`,
      isHalf &&
        'It carries Auditor, Support and Catalogue only. For their other roles a second administrator adds a second half, on the screen of this operator.',
    ],
  })
}

async function addSecondHalf(visit: Visit, form: URLSearchParams): Promise<Page> {
  const { secondHalf, keyId } = await visit.api.post(
    `${keyPath(visit, form)}/!second`,
    OperatorKeySecondedSchema,
  )
  const account = await visit.api.get(apiPath(visit), OperatorAccountDetailSchema)
  return shown(visit, account, `The second half of ${keyId}`, {
    secret: secondHalf,
    what: 'the second half',
    notes: [
      html`Give it to ${account.name} so that nobody else reads it. The whole key is the first half, a dot, and this. From now on neither half opens anything alone.`,
    ],
  })
}

async function invite(visit: Visit): Promise<Page> {
  const operatorCode = visit.name('operatorCode')
  const { link, expireAt } = await visit.api.post('/operator/invitations', OperatorInvitedSchema, {
    body: { operatorCode },
  })
  const account = await visit.api.get(apiPath(visit), OperatorAccountDetailSchema)
  return shown(visit, account, `An invitation for ${account.name}`, {
    secret: link,
    what: 'the link',
    notes: [
      html`Send it so that nobody else reads it. It registers one passkey, or links one company account, until ${momentText(expireAt)} UTC. An earlier link does not work any more.`,
      needsTwo(account.roles) &&
        'What it registers carries Auditor, Support and Catalogue only, until another administrator confirms it with the fingerprint that they are shown.',
    ],
  })
}

type Account = Read<typeof OperatorAccountDetailSchema>

const shown = (
  { path }: Visit,
  { name }: Account,
  title: string,
  secret: Pick<Parameters<typeof secretContent>[0], 'secret' | 'what' | 'notes'>,
): Page => ({
  title,
  nav: 'Operators',
  content: secretContent({ ...secret, title, way: backTo(path, `Back to ${name}`) }),
})
