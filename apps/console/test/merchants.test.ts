import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shadesOf } from '../src/colour.ts'
import { formTokenOf } from '../src/session.ts'
import { COOKIE, openRig, type Rig, refusal, SESSION, selfWith } from './support.ts'

// Merchants: what is shown of them, what may be changed, and what is shown once.

const NEW = {
  merchantCode: 'SHOP',
  status: 'ACTIVE',
  channel: { name: 'My Shop' },
  rateLimitPerSecond: 10,
  secretEnabled: true,
  requireMoneyInTokens: false,
  allowedOrigins: [],
  browserOrigins: [],
  keys: [],
  secrets: 0,
  callbackSecrets: 0,
  credentials: [],
  callbackPublicKeys: ['whpk_AAAA'],
  methods: { PAYIN: [], PAYOUT: [], TOPUP: [] },
}
const KEY = {
  type: 'KEY',
  id: 'key_1',
  createdAt: '2026-11-21T10:15:28.001Z',
  fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  isHalf: false,
}
const ADMIN = selfWith('merchants.read', 'merchants.change', 'merchant-keys.change', 'catalogue.change')

const shop = (t: Parameters<typeof openRig>[0], merchant: object = NEW): Promise<Rig> =>
  openRig(t, {
    'GET /operator/me': ADMIN,
    'GET /operator/merchants': { body: { data: [merchant] } },
    'GET /operator/merchants/SHOP': { body: merchant },
    'GET /operator/payout-rules/SHOP': { body: { data: [] } },
    'GET /operator/balances': { body: { data: [] } },
    'GET /operator/settlement-terms/SHOP': { body: { cycles: [], accounts: [] } },
    'POST /operator/merchants': { status: 201, body: merchant },
    'POST /operator/merchants/SHOP/!change': { body: merchant },
    'POST /operator/merchants/SHOP/methods/!enable': { body: { merchantCode: 'SHOP', methods: NEW.methods } },
    'POST /operator/merchants/SHOP/keys': {
      status: 201,
      body: { keyId: 'key_1', fingerprint: 'f', bits: 2048, isHalf: false },
    },
  })

const token = (): string => formTokenOf(SESSION)
const sent = ({ heard }: Rig): string[] =>
  heard.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
const bodyOf = ({ heard }: Rig, path: string): string => heard.find((each) => each.path === path)?.body ?? ''

test('of a merchant in another cell the page shows what was, and changes nothing', async (t) => {
  const rig = await shop(t, {
    ...NEW,
    status: 'DISABLED',
    cell: 'C',
    keys: [{ keyId: 'key_1', bits: 2048 }],
    credentials: [KEY],
  })
  const page = await (await rig.get('/merchants/SHOP')).text()
  assert.match(page, /In cell C/)
  assert.match(page, /Cell C has this merchant now/)
  assert.match(page, /key_1/)
  for (const act of ['Enable SHOP', 'Add a public key', 'Change the origins', 'Left to do'])
    assert.doesNotMatch(page, new RegExp(act))
})

test('a new merchant is made in one form, and its page says what is left to do', async (t) => {
  const rig = await shop(t)
  const form = {
    merchantCode: 'SHOP',
    name: 'My Shop',
    allowedOrigins: 'https://shop.example\r\n\r\n',
    methods: 'yes',
  }
  const made = await rig.post('/merchants/create', { ...form, publicKey: 'PEM\r\nPEM', formToken: token() })
  assert.equal(made.headers.get('location'), '/merchants/SHOP?done=created')
  assert.deepEqual(sent(rig), [
    'POST /operator/merchants',
    'POST /operator/merchants/SHOP/!change',
    'POST /operator/merchants/SHOP/keys',
    'POST /operator/merchants/SHOP/methods/!enable',
  ])
  assert.deepEqual(JSON.parse(bodyOf(rig, '/operator/merchants/SHOP/!change')), {
    allowedOrigins: ['https://shop.example'],
    callbackOrigins: null,
    returnOrigins: null,
  })
  assert.equal(bodyOf(rig, '/operator/merchants/SHOP/keys'), '{"publicKey":"PEM\\nPEM"}')
  const page = await (await rig.get('/merchants/SHOP?done=created')).text()
  assert.match(
    page,
    /The merchant was created\.[\s\S]*Left to do[\s\S]*No key[\s\S]*No origin[\s\S]*No payment method/,
  )
})

test('what of a new merchant is refused is on its page as it was typed, with the reason', async (t) => {
  const rig = await shop(t)
  rig.answers['POST /operator/merchants/SHOP/!change'] = refusal(
    400,
    'ATTRIBUTE_VALUE_INVALID',
    '"shop" is not an origin',
  )
  rig.answers['POST /operator/merchants/SHOP/keys'] = refusal(
    400,
    'ATTRIBUTE_VALUE_INVALID',
    'The PEM is damaged',
  )
  const form = {
    merchantCode: 'SHOP',
    name: '',
    allowedOrigins: 'shop',
    publicKey: 'damaged',
    formToken: token(),
  }
  const page = await (await rig.post('/merchants/create', form)).text()
  assert.match(page, /SHOP was created\. Not all of it: &quot;shop&quot; is not an origin The PEM is damaged/)
  assert.match(page, /action="\/merchants\/SHOP\/origins"/)
  assert.match(page, /name="allowedOrigins"[^>]*>\nshop<\/textarea>/)
  assert.match(page, /name="publicKey"[^>]*>\ndamaged<\/textarea>/)
  assert.doesNotMatch(bodyOf(rig, '/operator/merchants'), /"name":""/)
})

test('a code that is taken leaves the whole form as it was typed', async (t) => {
  const rig = await shop(t)
  rig.answers['POST /operator/merchants'] = refusal(
    409,
    'ENTITY_DUPLICATED',
    'The merchant code SHOP is taken.',
  )
  const form = {
    form: 'create',
    merchantCode: 'SHOP',
    name: 'A "shop"',
    allowedOrigins: 'https://a.example',
    formToken: token(),
  }
  const answer = await rig.post('/merchants/create', form)
  const page = await answer.text()
  assert.equal(answer.status, 409)
  assert.match(page, /<details class="fold" open>[\s\S]*is taken\./)
  assert.match(page, /name="name"[^>]*value="A &quot;shop&quot;"/)
  assert.match(page, />\nhttps:\/\/a\.example<\/textarea>/)
})

test('K41 a private key that somebody has pasted is refused, and is not shown again', async (t) => {
  const rig = await shop(t)
  rig.answers['POST /operator/merchants/SHOP/keys'] = refusal(
    400,
    'ATTRIBUTE_VALUE_INVALID',
    'This is a PRIVATE key.',
  )
  const publicKey = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----'
  const page = await (
    await rig.post('/merchants/SHOP/add-key', { form: 'add-key', publicKey, formToken: token() })
  ).text()
  assert.match(page, /This is a PRIVATE key\./)
  assert.doesNotMatch(page, /MIIEvQ/)
})

test('K43 a secret is shown once: on the answer to the press, which is not kept and is not sent again', async (t) => {
  const rig = await shop(t)
  const path = '/merchants/SHOP/add-secret'
  rig.answers['POST /operator/merchants/SHOP/secrets'] = {
    status: 201,
    body: { secretId: 'sec_1', secret: 'sec_TOP', isHalf: true },
  }
  const answer = await rig.post(path, { formToken: token() })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const shown = await answer.text()
  assert.match(shown, /Shown this once[\s\S]*sec_TOP/)
  assert.match(shown, /Payouts by its tokens wait for approval/)
  for (const again of ['/merchants/SHOP', '/merchants/SHOP?show=callbacks', path])
    assert.doesNotMatch(await (await rig.get(again)).text(), /sec_TOP/)
  rig.answers['POST /operator/merchants/SHOP/secrets'] = refusal(500, 'SYSTEM', 'busy')
  const page = await (await rig.post(path, { formToken: token() })).text()
  assert.match(page, /not known whether it was done\. Look before you do it again\./)
  assert.doesNotMatch(page, /<form/)
})

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

test('K42 a shop’s name, colour and addresses are words and a colour, and nothing else', async (t) => {
  const channel = {
    name: HOSTILE,
    primaryColor: '#fff" onload="alert(3)',
    supportUrl: HOSTILE,
    supportEmail: HOSTILE,
  }
  const credentials = [{ ...KEY, id: HOSTILE }]
  const rig = await shop(t, {
    ...NEW,
    channel,
    credentials,
    allowedOrigins: [HOSTILE],
    callbackPublicKeys: [HOSTILE],
  })
  for (const path of [
    '/merchants',
    '/merchants/SHOP',
    '/merchants/SHOP?show=brand',
    '/merchants/SHOP?show=callbacks',
  ]) {
    const text = await (await rig.get(path)).text()
    assert.ok(text.includes('&lt;script&gt;alert(1)'), path)
    assert.doesNotMatch(text, /fill="#fff"/, 'what is no colour is not drawn')
    const marks = text.replaceAll(/"[^"]*"/g, '""')
    assert.doesNotMatch(marks, /<script>|<img|<[a-z]+[^>]* (?:style|on[a-z]+)=/i, path)
  }
})

test('K40 who may not change merchants sees no form, and a press of theirs reaches nobody', async (t) => {
  const rig = await shop(t, { ...NEW, credentials: [KEY] })
  rig.answers['GET /operator/me'] = selfWith('merchants.read', 'settlements.read')
  for (const path of [
    '/merchants',
    '/merchants/SHOP',
    '/merchants/SHOP?show=terms',
    '/merchants/SHOP?show=brand',
    '/merchants/SHOP?show=callbacks',
  ])
    assert.doesNotMatch(await (await rig.get(path)).text(), /method="post" action="\/merchants/, path)
  const verbs = [
    'add-key',
    'confirm-key',
    'remove-key',
    'add-secret',
    'origins',
    'brand',
    'settings',
    'disable',
    'payout-rule',
    'account',
    'cycle',
  ]
  verbs.push('enable-method', 'revoke-tokens', 'rotate-callback-key', 'rotate-callback-secret')
  for (const verb of verbs) {
    const answer = await rig.post(`/merchants/SHOP/${verb}`, { formToken: token() })
    assert.equal(answer.status, 403, verb)
  }
  assert.equal((await rig.post('/merchants/create', { formToken: token(), merchantCode: 'X' })).status, 403)
  assert.deepEqual(sent(rig), [])
})

test('a key is removed after a second look that says what ends', async (t) => {
  const rig = await shop(t, { ...NEW, keys: [{ keyId: 'key_1', bits: 2048 }], credentials: [KEY] })
  rig.answers['DELETE /operator/merchants/SHOP/keys/key_1'] = { body: { keyId: 'key_1', removed: true } }
  assert.doesNotMatch(await (await rig.get('/merchants/SHOP')).text(), /remove-key/)
  const look = await (await rig.get('/merchants/SHOP?remove=key_1')).text()
  assert.match(
    look,
    /Remove the key key_1\?[\s\S]*no longer accepted[\s\S]*action="\/merchants\/SHOP\/remove-key"[\s\S]*Keep it/,
  )
  const done = await rig.post('/merchants/SHOP/remove-key', { keyId: 'key_1', formToken: token() })
  assert.equal(done.headers.get('location'), '/merchants/SHOP?done=key-removed')
  assert.deepEqual(sent(rig), ['DELETE /operator/merchants/SHOP/keys/key_1'])
})

test('a key that another administrator added is confirmed with what the merchant tells; one’s own is not', async (t) => {
  const { fingerprint, ...half } = { ...KEY, isHalf: true, madeBy: 'eve' }
  const rig = await shop(t, { ...NEW, keys: [{ keyId: 'key_1', bits: 2048 }], credentials: [half] })
  rig.answers['POST /operator/merchants/SHOP/keys/key_1/!confirm'] = {
    body: { keyId: 'key_1', confirmedBy: 'ada' },
  }
  const page = await (await rig.get('/merchants/SHOP')).text()
  assert.match(page, /Waits for confirmation[\s\S]*eve<[\s\S]*Ask the merchant for the SHA-256/)
  const spoken = fingerprint.toUpperCase().replace(/(..)(?=.)/g, '$1:')
  const form = { keyId: 'key_1', fingerprint: ` ${spoken}`, formToken: token() }
  const done = await rig.post('/merchants/SHOP/confirm-key', form)
  assert.equal(done.headers.get('location'), '/merchants/SHOP?done=key-confirmed')
  assert.deepEqual(JSON.parse(bodyOf(rig, '/operator/merchants/SHOP/keys/key_1/!confirm')), { fingerprint })

  rig.answers['GET /operator/merchants/SHOP'] = {
    body: { ...NEW, credentials: [{ ...half, madeBy: 'ada' }] },
  }
  const own = await (await rig.get('/merchants/SHOP')).text()
  assert.match(own, /You added it, so another administrator confirms it/)
  assert.doesNotMatch(own, /confirm-key/)
})

test('what is emptied of what customers see is removed, and what stands there stays', async (t) => {
  const rig = await shop(t)
  const form = { name: 'Shop', primaryColor: '#0b57d0', supportEmail: '', supportUrl: ' ' }
  await rig.post('/merchants/SHOP/brand', { ...form, formToken: token() })
  assert.deepEqual(JSON.parse(bodyOf(rig, '/operator/merchants/SHOP/!change')), {
    name: 'Shop',
    primaryColor: '#0b57d0',
    supportEmail: null,
    supportUrl: null,
  })
})

test('a logo goes to the API as the bytes that it is; what is refused is said beside it', async (t) => {
  const rig = await shop(t)
  const path = '/operator/merchants/SHOP/logo'
  const logo = {
    merchantCode: 'SHOP',
    logoUrl: 'https://a.example/l',
    mediaType: 'image/svg+xml',
    width: 8,
    height: 8,
  }
  rig.answers[`PUT ${path}`] = { body: logo }
  const send = (svg: string): Promise<Response> => {
    const form = new FormData()
    form.set('formToken', token())
    form.set('form', 'logo')
    form.set('logo', new Blob([svg]), svg === '' ? '' : 'logo.svg')
    const headers = { cookie: COOKIE, origin: rig.url, 'sec-fetch-site': 'same-origin' }
    return fetch(`${rig.url}/merchants/SHOP/logo?show=brand`, {
      method: 'POST',
      headers,
      body: form,
      redirect: 'manual',
    })
  }
  const done = await send('<svg/>')
  assert.equal(done.headers.get('location'), '/merchants/SHOP?show=brand&done=logo')
  assert.equal(bodyOf(rig, path), '<svg/>')
  rig.answers[`PUT ${path}`] = refusal(400, 'ATTRIBUTE_VALUE_INVALID', 'The picture is too large.')
  assert.match(await (await send('<svg></svg>')).text(), /The picture is too large\.[\s\S]*name="logo"/)
  assert.match(await (await send('')).text(), /Choose a file first\./)
})

test('the list of merchants is paged and filtered by the operator API: no screen reads all of them', async (t) => {
  const rig = await shop(t)
  rig.answers['GET /operator/me'] = selfWith('merchants.read', 'settlements.read')
  rig.answers['GET /operator/payments'] = { body: { data: [] } }
  rig.answers['GET /operator/merchants'] = { body: { data: [NEW], nextCursor: 'TTE0OQ' } }
  const first = await (await rig.get('/merchants?name= sHOP 7&status=ACTIVE')).text()
  assert.match(
    first,
    /1 merchant, by their codes[\s\S]*rel="next" href="\/merchants\?[^"]*cursor=TTE0OQ&amp;trail=-"/,
  )
  await rig.get('/merchants?cursor=TTE0OQ&trail=-')
  await rig.get('/settlements?name=sHOP&cursor=TTE0OQ')
  await rig.get('/search?q=sHOP')
  const asked = rig.heard.filter(({ path }) => path === '/operator/merchants')
  assert.deepEqual(
    asked.map(({ query }) => Object.fromEntries(query)),
    [
      { name: 'sHOP 7', status: 'ACTIVE', limit: '50' },
      { cursor: 'TTE0OQ', limit: '50' },
      { name: 'sHOP', cursor: 'TTE0OQ', limit: '50' },
      { name: 'sHOP', limit: '10' },
    ],
  )
  rig.answers['GET /operator/merchants'] = { body: { data: [] } }
  assert.match(await (await rig.get('/merchants?status=DISABLED')).text(), /None fits these filters/)
  assert.match(await (await rig.get('/merchants')).text(), /None has been created yet/)
})

test('a colour has white or black on it, whichever can be read', () => {
  assert.deepEqual(shadesOf('#ffc21a'), {
    fill: '#ffc21a',
    onFill: '#11151b',
    contrast: '11.3',
    soft: '#fffbef',
    isLink: false,
  })
  assert.equal(shadesOf('#5b2a86')?.onFill, '#ffffff')
  for (const none of [undefined, '', '#fff', 'red', '#12345g']) assert.equal(shadesOf(none), undefined)
})
