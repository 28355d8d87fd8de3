import {
  MerchantKeyConfirmedSchema,
  MerchantKeyRemovedSchema,
  MerchantKeySchema,
  MerchantSecretRemovedSchema,
  MerchantSecretSchema,
  MerchantTokensRevokedSchema,
  OperatorMerchantSchema,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, momentText } from '../format.ts'
import {
  actButton,
  actForm,
  areaField,
  folded,
  linesOf,
  selectField,
  textField,
  typedInto,
} from '../forms.ts'
import type { Page } from '../frame.ts'
import { pathOf } from '../operator-api.ts'
import { chip, note, table, withQuery } from '../parts.ts'
import type { Act, Visit } from '../visit.ts'
import { type Merchant, merchantHref, merchantRoute, secondLook, section } from './merchant-parts.ts'
import { shownOnce } from './shown-once.ts'

// By what a merchant proves who it is, and where customers and callbacks may be sent.

export const accessPart = (visit: Visit, merchant: Merchant): Html =>
  html`${keysPart(visit, merchant)}${secretsPart(visit, merchant)}${originsPart(visit, merchant)}${tokensPart(visit, merchant)}`

// Keys

/** The merchant's own administrators may change them, too. */
const KEYS = 'merchant-keys.change'

const PRIVATE = /PRIVATE KEY/

/** A private key that somebody has pasted is not shown again. */
export const publicKeyField = (typed: string, isRequired: boolean): Html =>
  areaField({
    name: 'publicKey',
    label: 'Public key',
    value: PRIVATE.test(typed) ? '' : typed,
    rows: 5,
    isRequired,
    placeholder: '-----BEGIN PUBLIC KEY-----',
    hint: 'RSA, 2048 bits or more, in PEM. The merchant makes the pair and keeps the private key.',
  })

export const addKey = (visit: Visit, merchantCode: string, form: URLSearchParams): Promise<unknown> =>
  visit.api.post(`${merchantRoute(merchantCode)}/keys`, MerchantKeySchema, {
    body: { publicKey: (form.get('publicKey') ?? '').replaceAll('\r\n', '\n') },
  })

function keysPart(visit: Visit, merchant: Merchant): Html {
  const { merchantCode, credentials } = merchant
  const path = merchantHref(merchantCode)
  const keys = credentials.filter(({ type }) => type === 'KEY')
  const typed = typedInto(visit, 'add-key')
  const fields = publicKeyField(typed.value('publicKey'), true)
  const form = actForm(visit, { path, verb: 'add-key', fields, button: 'Add the key' })
  const mayChange = visit.may(KEYS)
  const looks = keys.map(({ id }) =>
    lookAt(visit, merchantCode, {
      id,
      what: 'key',
      verb: 'remove-key',
      hidden: { keyId: id },
      says: 'Tokens that were issued under it are no longer accepted, from the next request on.',
    }),
  )
  const halves = keys.filter(({ isHalf }) => isHalf).map((key) => confirmPart(visit, merchantCode, key))
  return section('keys', 'Signing keys', {
    says: 'Two or more may be active, so that a change needs no pause.',
    content: html`${mayChange && html`<div class="fold-row">${folded('Add a public key', form, typed.isRefused)}</div>${looks}`}${
      keys.length === 0
        ? html`<p class="quiet">No keys: the merchant cannot ask for tokens.</p>`
        : table(
            'Signing keys',
            credentialColumns(mayChange),
            keys.map((each) => credentialRow(visit, merchant, each)),
          )
    }${halves}`,
  })
}

const credentialColumns = (mayChange: boolean) => [
  { name: 'Id' },
  { name: 'State' },
  { name: 'SHA-256', style: 'hide-sm' },
  { name: 'Since, UTC', style: 'hide-sm' },
  ...(mayChange ? [{ name: 'Remove', style: 'n' }] : []),
]

type Credential = Merchant['credentials'][number]

function credentialRow(
  visit: Visit,
  { keys, secretEnabled }: Merchant,
  { type, id, createdAt, fingerprint, isHalf }: Credential,
): readonly HtmlValue[] {
  const bits = keys.find(({ keyId }) => keyId === id)?.bits
  const state = isHalf
    ? chip('warn', 'user', type === 'KEY' ? 'Waits for confirmation' : 'Payouts wait')
    : type === 'KEY'
      ? html`${chip('good', 'check', 'Active')}${bits !== undefined && html`<span class="sub">${bits} bits</span>`}`
      : secretEnabled
        ? chip('warn', 'alert', 'Deprecated')
        : chip('mute', 'minus', 'Not used')
  return [
    html`<span class="code">${id}</span>`,
    state,
    html`<span class="code quiet">${fingerprint === undefined ? '' : `${fingerprint.slice(0, 8)}…${fingerprint.slice(-4)}`}</span>`,
    html`<span class="quiet">${momentHtml(createdAt)}</span>`,
    ...(visit.may(type === 'KEY' ? KEYS : 'merchants.change')
      ? [
          html`<a class="btn btn-bare btn-bad" href="${withQuery(visit.path, visit.query, { remove: id, done: undefined })}">Remove<span class="vh"> ${id}</span></a>`,
        ]
      : []),
  ]
}

/** What another administrator confirms. Merchants' people are not asked: they vouch for the keys that they add. */
function confirmPart(visit: Visit, merchantCode: string, { id, madeBy }: Credential): Html | undefined {
  if (!visit.may('merchants.change')) return undefined
  const waits = 'Until then payouts by its tokens wait for approval.'
  if (madeBy === visit.me.operatorCode)
    return note(
      'warn',
      html`<b><span class="code">${id}</span> waits for confirmation.</b> You added it, so another administrator confirms it. ${waits}`,
    )
  const key = `confirm-key-${id}`
  const typed = typedInto(visit, key)
  const fields = html`<input type="hidden" name="keyId" value="${id}"><p class="prose"><span class="code">${madeBy ?? 'An operator'}</span> added <span class="code">${id}</span>. ${waits} Ask the merchant for the SHA-256 of their public key. If it is another one, the key is somebody else’s: remove it.</p>${textField({ name: 'fingerprint', label: 'SHA-256 of the key', value: typed.value('fingerprint'), isRequired: true, isCode: true, maxLength: 100, hint: 'openssl pkey -pubin -in public.pem -outform DER | sha256sum' })}`
  const path = merchantHref(merchantCode)
  const form = actForm(visit, { path, verb: 'confirm-key', key, fields, button: 'Confirm the key' })
  return folded(`Confirm ${id}`, form, true, 'check')
}

interface Look {
  readonly id: string
  readonly what: string
  readonly verb: string
  readonly hidden: Readonly<Record<string, string>>
  readonly says: string
}

function lookAt(
  visit: Visit,
  merchantCode: string,
  { id, what, verb, hidden, says }: Look,
): Html | undefined {
  const back = withQuery(visit.path, visit.query, { remove: undefined, done: undefined })
  const act = actButton(
    { ...visit, search: back.slice(visit.path.length) },
    { path: merchantHref(merchantCode), verb, hidden, style: 'btn-bad', icon: 'x', words: `Remove ${id}` },
  )
  return secondLook(visit, { name: 'remove', value: id, title: `Remove the ${what} ${id}?`, says, act, back })
}

// Secrets

function secretsPart(visit: Visit, merchant: Merchant): Html {
  const { merchantCode, credentials, secretEnabled } = merchant
  const secrets = credentials.filter(({ type }) => type === 'SECRET')
  const mayChange = visit.may('merchants.change')
  const path = merchantHref(merchantCode)
  const add = actButton(visit, { path, verb: 'add-secret', words: 'Make a secret', icon: 'key' })
  const looks = secrets.map(({ id }) =>
    lookAt(visit, merchantCode, {
      id,
      what: 'secret',
      verb: 'remove-secret',
      hidden: { secretId: id },
      says: 'Tokens that were issued under it are no longer accepted, from the next request on.',
    }),
  )
  const list =
    secrets.length === 0
      ? html`<p class="quiet">No secrets.</p>`
      : table(
          'API secrets',
          credentialColumns(mayChange),
          secrets.map((each) => credentialRow(visit, merchant, each)),
        )
  return section('secrets', 'API secrets', {
    says: secretEnabled
      ? 'Deprecated: a signing key is safer. A secret is shown once.'
      : 'The login by secret is off for this merchant: a secret opens nothing.',
    content: html`${mayChange && secretEnabled && html`<div class="fold-row">${add}</div>`}${looks}${list}`,
  })
}

// Origins

const RULES = [
  { value: 'AS_ALLOWED', words: 'As for both' },
  { value: 'OWN', words: 'Only these, one a line' },
]

function originsPart(visit: Visit, merchant: Merchant): Html {
  const { allowedOrigins, callbackOrigins, returnOrigins, browserOrigins, merchantCode } = merchant
  const list = (origins: readonly string[], none: string): HtmlValue =>
    origins.length === 0
      ? html`<span class="quiet">${none}</span>`
      : html`<ul class="code">${origins.map((origin) => html`<li>${origin}</li>`)}</ul>`
  const shown = html`<dl class="kv kv-wide"><dt>Both</dt><dd>${list(allowedOrigins, 'Anywhere')}</dd><dt>Callbacks</dt><dd>${callbackOrigins === undefined ? html`<span class="quiet">As for both</span>` : list(callbackOrigins, 'Nowhere')}</dd><dt>Returns</dt><dd>${returnOrigins === undefined ? html`<span class="quiet">As for both</span>` : list(returnOrigins, 'Nowhere')}</dd><dt>Browsers</dt><dd>${list(browserOrigins, 'None may read a payin')}</dd></dl>`
  const typed = typedInto(visit, 'origins')
  const form = actForm(visit, {
    path: merchantHref(merchantCode),
    verb: 'origins',
    button: 'Save the origins',
    fields: originFields(merchant, typed),
  })
  return section('origins', 'Allowed origins', {
    says: 'Where callbacks and customers may be sent.',
    content: html`${shown}${visit.may('merchants.change') && html`<div class="section-s">${folded('Change the origins', form, typed.isRefused, 'edit')}</div>`}`,
  })
}

function originFields(
  { allowedOrigins, callbackOrigins, returnOrigins, browserOrigins }: Merchant,
  typed: ReturnType<typeof typedInto>,
): Html {
  const lines = (name: string, origins: readonly string[] | undefined, label: string, hint: string): Html =>
    areaField({ name, label, hint, rows: 3, value: typed.value(name, (origins ?? []).join('\n')) })
  const rule = (name: string, origins: readonly string[] | undefined, label: string): Html =>
    selectField({
      name,
      label,
      choices: RULES,
      isWide: true,
      value: typed.value(name, origins === undefined ? 'AS_ALLOWED' : 'OWN'),
    })
  return html`${lines('allowedOrigins', allowedOrigins, 'Callbacks and returns', 'One a line, such as https://shop.example. Empty: anywhere.')}${rule('callbackRule', callbackOrigins, 'Callbacks alone')}${lines('callbackOrigins', callbackOrigins, 'Origins of callbacks', 'Counts with “Only these”. Empty: nowhere.')}${rule('returnRule', returnOrigins, 'Returns alone')}${lines('returnOrigins', returnOrigins, 'Origins of returns', 'Counts with “Only these”. Empty: nowhere.')}${lines('browserOrigins', browserOrigins, 'Browsers', 'From where a browser may read a payin by its PAYIN_INFO token. Empty: from nowhere.')}`
}

export function setOrigins(visit: Visit, merchantCode: string, form: URLSearchParams): Promise<unknown> {
  const own = (rule: string, list: string): string[] | null =>
    form.get(rule) === 'OWN' ? linesOf(form.get(list)) : null
  return visit.api.post(`${merchantRoute(merchantCode)}/!change`, OperatorMerchantSchema, {
    body: {
      allowedOrigins: linesOf(form.get('allowedOrigins')),
      callbackOrigins: own('callbackRule', 'callbackOrigins'),
      returnOrigins: own('returnRule', 'returnOrigins'),
      ...(form.has('browserOrigins') && { browserOrigins: linesOf(form.get('browserOrigins')) }),
    },
  })
}

// Tokens

function tokensPart(visit: Visit, { merchantCode, tokensNotBefore }: Merchant): Html {
  const path = merchantHref(merchantCode)
  const act = actButton(visit, { path, verb: 'revoke-tokens', style: 'btn-bad', words: 'Revoke all tokens' })
  const warning = html`<p class="quiet">Customers on the payment page and the shop’s own calls are refused until the shop has asked for new tokens.</p>`
  return section('tokens', 'Tokens', {
    says:
      tokensNotBefore === undefined
        ? 'None were revoked together.'
        : `Those from before ${momentText(tokensNotBefore)} UTC are revoked.`,
    content:
      visit.may('merchants.change') &&
      folded('Revoke tokens', html`<div class="stack-s">${warning}${act}</div>`, false, 'x'),
  })
}

/** What was made, and is shown this once. */
async function addSecret({ api, name }: Visit): Promise<Page> {
  const merchantCode = name('merchantCode')
  const made = await api.post(`${merchantRoute(merchantCode)}/secrets`, MerchantSecretSchema)
  return shownOnce({
    title: 'New API secret',
    nav: 'Merchants',
    value: made.secret,
    what: 'the secret',
    says: `${made.secretId} of ${merchantCode}. Only its hash is kept: hand it to the merchant now, by a safe way.${made.isHalf ? ' Payouts by its tokens wait for approval: a merchant who pays out signs with a key.' : ''}`,
    back: merchantHref(merchantCode),
    backWords: `Back to ${merchantCode}`,
  })
}

export const ACCESS_ACTS: Readonly<Record<string, Act>> = {
  'add-key': {
    permission: KEYS,
    async perform(visit, form) {
      await addKey(visit, visit.name('merchantCode'), form)
      return 'key-added'
    },
  },
  'confirm-key': {
    permission: 'merchants.change',
    async perform({ api, name }, form) {
      const path = pathOf`/operator/merchants/${name('merchantCode')}/keys/${form.get('keyId') ?? ''}/!confirm`
      const fingerprint = (form.get('fingerprint') ?? '').replace(/[\s:]/g, '').toLowerCase()
      await api.post(path, MerchantKeyConfirmedSchema, { body: { fingerprint } })
      return 'key-confirmed'
    },
  },
  'remove-key': {
    permission: KEYS,
    async perform({ api, name }, form) {
      const path = pathOf`/operator/merchants/${name('merchantCode')}/keys/${form.get('keyId') ?? ''}`
      await api.remove(path, MerchantKeyRemovedSchema)
      return 'key-removed'
    },
  },
  'add-secret': { permission: 'merchants.change', isOnce: true, perform: addSecret },
  'remove-secret': {
    permission: 'merchants.change',
    async perform({ api, name }, form) {
      const path = pathOf`/operator/merchants/${name('merchantCode')}/secrets/${form.get('secretId') ?? ''}`
      await api.remove(path, MerchantSecretRemovedSchema)
      return 'secret-removed'
    },
  },
  origins: {
    permission: 'merchants.change',
    async perform(visit, form) {
      await setOrigins(visit, visit.name('merchantCode'), form)
      return 'origins'
    },
  },
  'revoke-tokens': {
    permission: 'merchants.change',
    async perform({ api, name }) {
      await api.post(`${merchantRoute(name('merchantCode'))}/!revoke-tokens`, MerchantTokensRevokedSchema)
      return 'tokens'
    },
  },
}
