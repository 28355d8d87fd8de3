import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCREENS } from '../src/screens/index.ts'
import { formTokenOf } from '../src/session.ts'
import { openRig, type Rig, SESSION, selfWith } from './support.ts'

// A merchant's person: which screens there are, and what is offered on them.

const MEMBER = [
  '/',
  '/payments',
  '/payments/:kind/:merchantCode/:idPayment',
  '/search',
  '/callbacks',
  '/account',
]
MEMBER.push('/settlements/:merchantCode', '/settlements/:merchantCode/:idSettlement', '/balances')
MEMBER.push('/merchants/:merchantCode', '/merchants/:merchantCode/people')
MEMBER.push('/merchants/:merchantCode/customers', '/merchants/:merchantCode/customers/:idCustomer')

/** Whatever the operator API says that the person may: the screens are not open by a permission. */
const everything = [
  ...new Set(SCREENS.flatMap(({ permission, acts = {} }) => [permission, ...permissionsOf(acts)])),
]

function permissionsOf(acts: NonNullable<(typeof SCREENS)[number]['acts']>): readonly string[] {
  return Object.values(acts).map(({ permission }) => permission)
}

const selfOf = (role: string, ...permissions: readonly string[]) => ({
  body: {
    operatorCode: 'lea@SHOP',
    name: 'Lea',
    roles: [],
    merchantCode: 'SHOP',
    memberRole: role,
    permissions: ['self.read', ...permissions],
  },
})

const filled = (path: string): string => path.replaceAll(/:\w+/g, 'X')
/** The frame asks who is there, and for the last check of the ledger. */
const FRAME = ['/operator/me', '/operator/health']
const heardBeside = ({ heard }: Rig): readonly string[] =>
  heard.map(({ path }) => path).filter((path) => !FRAME.includes(path))

test('K78 a screen is closed to a merchant’s person unless it says otherwise, and asks the operator API for nothing', async (t) => {
  assert.deepEqual(
    SCREENS.filter(({ forMembers }) => forMembers === true)
      .map(({ path }) => path)
      .toSorted(),
    MEMBER.toSorted(),
  )
  const rig = await openRig(t, { 'GET /operator/me': selfOf('ADMIN', ...everything) })
  assert.equal((await rig.get('/journal/export?from=2026-10-01&to=2026-11-01')).status, 403)
  for (const { path, acts = {}, forMembers } of SCREENS) {
    if (forMembers) continue
    assert.equal((await rig.get(filled(path))).status, 403, path)
    for (const [verb, { takesFile }] of Object.entries(acts)) {
      // What has a file with it is refused before it is read, where its form has a token or not.
      if (takesFile) continue
      const form = { formToken: formTokenOf(SESSION) }
      assert.equal((await rig.post(`${filled(path)}/${verb}`, form)).status, 403, `${path}/${verb}`)
    }
  }
  assert.deepEqual(heardBeside(rig), [])
  // A path that is one of the house for an operator of the house.
  rig.answers['GET /operator/me'] = selfWith(...everything)
  rig.answers['GET /operator/operators'] = { body: { data: [] } }
  assert.equal((await rig.get('/operators')).status, 200)
})

const MOMENT = '2026-11-21T10:15:28.001Z'
const PERSON = {
  operatorCode: 'sam@SHOP',
  merchantCode: 'SHOP',
  name: 'Sam <b>',
  role: 'STAFF',
  status: 'ACTIVE',
  createdAt: MOMENT,
  passkeys: 1,
}
const SHOP = {
  merchantCode: 'SHOP',
  status: 'ACTIVE',
  channel: { name: 'My Shop' },
  rateLimitPerSecond: 50,
  secretEnabled: false,
  requireMoneyInTokens: false,
  allowedOrigins: [],
  browserOrigins: [],
  keys: [],
  secrets: 0,
  callbackSecrets: 0,
  credentials: [],
  callbackPublicKeys: [],
  methods: { PAYIN: [], PAYOUT: [], TOPUP: [] },
}
const PEOPLE = 'people.read'
const answers = {
  'GET /operator/merchants/SHOP/people': {
    body: { data: [PERSON, { ...PERSON, operatorCode: 'lea@SHOP', name: 'Lea' }] },
  },
  'GET /operator/merchants/SHOP': { body: SHOP },
}

test('K78 staff sees colleagues without a button; an administrator changes colleagues and not themselves', async (t) => {
  const rig = await openRig(t, { 'GET /operator/me': selfOf('STAFF', PEOPLE), ...answers })
  const staff = await (await rig.get('/merchants/SHOP/people')).text()
  assert.match(staff, /Sam &lt;b&gt;<span class="sub code">sam@SHOP/)
  assert.doesNotMatch(staff.slice(staff.indexOf('<main'), staff.indexOf('</main>')), /<form/)
  for (const verb of ['invite', 'invite-again', 'role', 'enable', 'disable'])
    assert.equal(
      (await rig.post(`/merchants/SHOP/people/${verb}`, { formToken: formTokenOf(SESSION) })).status,
      403,
      verb,
    )
  rig.answers['GET /operator/me'] = selfOf('ADMIN', PEOPLE, 'people.change')
  const admin = await (await rig.get('/merchants/SHOP/people')).text()
  assert.match(admin, /name="operatorCode" value="sam@SHOP"/)
  assert.doesNotMatch(admin, /name="operatorCode" value="lea@SHOP"/)
  assert.match(admin, /Admin of SHOP/)
})

test('a link of an invitation is on the answer to the press alone, and names its person', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfOf('ADMIN', PEOPLE, 'people.change'),
    ...answers,
    'POST /operator/merchants/SHOP/people': {
      status: 201,
      body: {
        ...PERSON,
        invitationId: 'inv_1',
        secret: 'tgoi_SECRET',
        expireAt: MOMENT,
        link: 'https://console.example/invitation#tgoi_SECRET',
      },
    },
  })
  const form = { formToken: formTokenOf(SESSION), person: ' sam ', name: 'Sam', role: 'STAFF' }
  const answer = await rig.post('/merchants/SHOP/people/invite', form)
  assert.equal(answer.headers.get('location'), null)
  assert.match(await answer.text(), /invitation#tgoi_SECRET<\/code>[\s\S]*sam@SHOP/)
  const sent = rig.heard.find(({ method }) => method === 'POST')
  assert.deepEqual(JSON.parse(sent?.body ?? ''), { person: 'sam', name: 'Sam', role: 'STAFF' })
  assert.doesNotMatch(await (await rig.get('/merchants/SHOP/people')).text(), /tgoi_/)
})

test('the passkey of an Admin whom one operator invited is confirmed by another one, with the fingerprint', async (t) => {
  const lea = { ...PERSON, operatorCode: 'lea@SHOP', name: 'Lea', role: 'ADMIN', halfPasskeys: ['pk_1'] }
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('people.read', 'people.change', 'operators.change', 'merchants.read'),
    'GET /operator/merchants/SHOP': { body: SHOP },
    'GET /operator/merchants/SHOP/people': { body: { data: [{ ...PERSON, halfPasskeys: ['pk_2'] }, lea] } },
    'POST /operator/passkeys/pk_1/!confirm': {
      body: { passkeyId: 'pk_1', name: 'Laptop', createdAt: MOMENT, isBackedUp: false, isHalf: false },
    },
  })
  const page = await (await rig.get('/merchants/SHOP/people')).text()
  assert.match(page, /Confirm the passkey of Lea/)
  assert.doesNotMatch(page, /pk_2/, 'what Staff may needs no confirmation')
  const form = { passkeyId: 'pk_1', fingerprint: '7kq2 m8x4 tj5n', formToken: formTokenOf(SESSION) }
  const done = await rig.post('/merchants/SHOP/people/confirm-passkey', form)
  assert.equal(done.headers.get('location'), '/merchants/SHOP/people?done=confirmed')
  const sent = rig.heard.find(({ path }) => path === '/operator/passkeys/pk_1/!confirm')
  assert.deepEqual(JSON.parse(sent?.body ?? ''), { fingerprint: '7KQ2-M8X4-TJ5N' })
})
