import { type Html, html } from '@tollgate/runtime/html'
import { pairs } from '../parts.ts'
import { type Merchant, section } from './merchant-parts.ts'

// What tokens are, in words: for the merchant's people who look after the shop.

export function tokensPart({
  requireMoneyInTokens,
  secretEnabled,
  rateLimitPerSecond,
  keys,
}: Merchant): Html {
  const what = html`<ol class="stack-s">
<li><b>Your server asks for a token.</b> It signs the request (<code>POST /auth-tokens</code>) with your private key. The gateway checks it with the public key under Access.</li>
<li><b>A token says what it permits.</b> Your server names the operations, and for how long. Whoever has the token can do that and nothing else: ask for as little as you need.</li>
<li><b>Your server calls the API with it.</b> It sends the token as <code>Authorization: Bearer …</code>.</li>
<li><b>A customer gets a token for one payment.</b> It stands in the link to the payment page, and opens that payment alone.</li>
</ol>`
  const yours = pairs([
    ['Signing keys', keys.length === 0 ? 'None: your server gets no token' : String(keys.length)],
    ['Tokens for customers', requireMoneyInTokens ? 'Must carry the money' : 'May leave the money open'],
    ['Login by secret', secretEnabled ? 'On, deprecated: use a key' : 'Off'],
    ['Requests a second', String(rateLimitPerSecond)],
  ])
  const lost = html`<ul class="stack-s">
<li><b>A private key was seen by others:</b> add a new key, let your server use it, and remove the old one. Tokens that were issued under the old key end at once.</li>
<li><b>One token was seen by others:</b> it ends by itself, at the time that your server asked for. Ask the operator of the gateway to revoke it sooner.</li>
</ul>`
  return html`${section('what-tokens', 'How your shop proves who it is', { content: what })}${section('your-tokens', 'What is set for you', { content: yours })}${section('lost-tokens', 'When something got lost', { content: lost })}`
}
