import {
  MerchantCallbackKeysSchema,
  MerchantCallbackSecretSchema,
  OperatorMerchantSchema,
} from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { plural } from '../format.ts'
import { actButton, folded } from '../forms.ts'
import type { Page } from '../frame.ts'
import { copyButton } from '../parts.ts'
import type { Act, Visit } from '../visit.ts'
import { type Merchant, merchantHref, merchantRoute, section } from './merchant-parts.ts'
import { shownOnce } from './shown-once.ts'

// What callbacks are signed with.

export const callbacksPart = (visit: Visit, merchant: Merchant): Html =>
  html`${keysPart(visit, merchant)}${secretPart(visit, merchant)}`

function keysPart(visit: Visit, { merchantCode, callbackPublicKeys }: Merchant): Html {
  const press = actButton(visit, {
    path: merchantHref(merchantCode),
    verb: 'rotate-callback-key',
    style: 'btn-main',
    words: 'Rotate the callback key',
  })
  const words = html`<p class="quiet">A new key signs from now on, and the newest one of today beside it until the next rotation. Receivers that hold the key themselves need the new one before that; our SDK takes several.</p>`
  return section('callback-keys', 'Callback keys', {
    says: 'Every callback is signed by each of these; the newest is first.',
    content: html`<ul class="stack-s">${callbackPublicKeys.map((key) => html`<li class="cli"><code tabindex="0" aria-label="Callback key">${key}</code>${copyButton('the callback key', key)}</li>`)}</ul>${visit.may('merchants.change') && html`<div class="section-s">${folded('Rotate the key', html`<div class="stack-s">${words}${press}</div>`, false, 'resend')}</div>`}`,
  })
}

function secretPart(visit: Visit, { merchantCode, callbackSecrets }: Merchant): Html {
  const path = merchantHref(merchantCode)
  const isSigning = callbackSecrets > 0
  const rotate = actButton(visit, {
    path,
    verb: 'rotate-callback-secret',
    style: 'btn-main',
    words: isSigning ? 'Rotate the callback secret' : 'Make a callback secret',
  })
  const words = isSigning
    ? 'The secret of today signs beside the new one until the next rotation.'
    : 'Callbacks are then signed by the secret as well as by the key.'
  const remove = actButton(visit, {
    path,
    verb: 'remove-callback-secret',
    style: 'btn-bad',
    words: 'Stop signing by secrets',
  })
  const changes = html`<div class="acts section-s">${folded(isSigning ? 'Rotate the secret' : 'Sign by a secret', html`<div class="stack-s"><p class="quiet">${words} It is shown once.</p>${rotate}</div>`, false, isSigning ? 'resend' : 'key')}${isSigning && folded('Remove the secrets', html`<div class="stack-s"><p class="quiet">Receivers that check the secret alone refuse every callback from then on.</p>${remove}</div>`, false, 'x')}</div>`
  return section('callback-secrets', 'Shared secrets for callbacks', {
    says: 'For receivers that cannot check a key (v1).',
    content: html`<p>${isSigning ? `${plural(callbackSecrets, 'secret')} ${callbackSecrets === 1 ? 'signs' : 'sign'}.` : html`<span class="quiet">None signs.</span>`}</p>${visit.may('merchants.change') && changes}`,
  })
}

async function rotateSecret({ api, name }: Visit): Promise<Page> {
  const merchantCode = name('merchantCode')
  const path = `${merchantRoute(merchantCode)}/!rotate-callback-secret`
  const { callbackSecret, callbackSecrets } = await api.post(path, MerchantCallbackSecretSchema)
  const beside = callbackSecrets > 1 ? ' The one before signs beside it until the next rotation.' : ''
  return shownOnce({
    title: 'New callback secret',
    nav: 'Merchants',
    value: callbackSecret,
    what: 'the secret',
    says: `Of ${merchantCode}: hand it to the merchant by a safe way.${beside}`,
    back: `${merchantHref(merchantCode)}?show=callbacks`,
    backWords: `Back to ${merchantCode}`,
  })
}

export const CALLBACK_ACTS: Readonly<Record<string, Act>> = {
  'rotate-callback-key': {
    permission: 'merchants.change',
    isOnce: true,
    async perform({ api, name }) {
      const path = `${merchantRoute(name('merchantCode'))}/!rotate-callback-key`
      await api.post(path, MerchantCallbackKeysSchema)
      return 'callback-key'
    },
  },
  'rotate-callback-secret': { permission: 'merchants.change', isOnce: true, perform: rotateSecret },
  'remove-callback-secret': {
    permission: 'merchants.change',
    async perform({ api, name }) {
      const path = `${merchantRoute(name('merchantCode'))}/!remove-callback-secret`
      await api.post(path, OperatorMerchantSchema)
      return 'callback-secret'
    },
  },
}
