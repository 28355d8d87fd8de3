import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { bareView, textsFor } from '../src/drawing.ts'
import { LANGUAGES } from '../src/messages/index.ts'
import { contact } from '../src/screens/parts.ts'
import { momentTag, sayAround } from '../src/screens/view.ts'
import { type Answer, browserAt, linkFor, openPage, payinOf, START_MS } from './fake-gateway.ts'

const page = await openPage({ after })
beforeEach(() => {
  page.nowMs = START_MS
})

const money = (amount: number) => ({ money: { amount, currencyCode: 'EUR' } })
const ENDED = new Date(START_MS - 3_600_000).toISOString()

async function shown(wish: Parameters<typeof payinOf>[1]): Promise<Answer> {
  page.gateway.payin = payinOf('ORD-1', wish)
  return browserAt(page).go(linkFor('ORD-1'))
}

const failed = (failureReasonCode: string, more = {}) =>
  shown({
    status: 'FAILED',
    processorStatus: 'REJECTED',
    processedAt: ENDED,
    more,
    process: {
      failureReasons: {
        failedAt: ENDED,
        failureReasonCode,
        message: 'Only for people who know.',
      },
    },
  })

test('a part of the money: what came, what is missing, and a code and rows for exactly that', async () => {
  const qr = { format: 'EPC069-12', content: 'BCD\n002\n1\nSCT\n\nExample Ltd\nDE89\nEUR49.9' }
  const { heading, html } = await shown({
    more: { arrived: { ...money(100), rest: { ...money(49.9), qr } } },
  })
  assert.equal(heading, 'Part of your payment has arrived')
  assert.match(html, /We received €100\.00 of €149\.90\./)
  assert.match(html, /Please send the remaining €49\.90 with the same reference\./)
  assert.match(html, /aria-label="QR code: €49\.90 to Example Ltd, reference RF18539007547034"/)
  assert.match(html, /data-copy="BCD\n002[^"]*EUR49\.9"/)
  assert.match(html, /<dt>Still to pay<\/dt><dd id="amount"><bdi>€49\.90/)
  assert.match(html, /data-copy="49\.90"/)
  assert.match(html, /data-copy="RF18539007547034"/)
  assert.doesNotMatch(html, /data-copy="149\.90"/)
})

test('more than the money, or the whole in parts, asks for nothing more', async () => {
  const over = await shown({ more: { arrived: money(200) } })
  assert.equal(over.heading, 'We received more than the amount due')
  assert.match(over.html, /We received €200\.00 instead of €149\.90\./)
  const whole = await shown({ more: { arrived: money(149.9) } })
  assert.equal(whole.heading, 'Your payment is being confirmed')
  for (const { html } of [over, whole]) {
    assert.match(html, /You do not need to pay anything more\./)
    assert.doesNotMatch(html, /data-copy="RF18|Still to pay|remaining/)
  }
})

test('coins are opened in a wallet, all else in an app', async () => {
  const uri = 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.00213'
  for (const [paymentMethodCode, words] of [
    ['CRYPTO', 'Open wallet'],
    ['PIX', 'Open in app'],
  ] as const) {
    const method = { paymentMethodCode, qr: { format: 'BIP21', content: uri }, deepLinks: [uri] }
    const { html } = await shown({ method })
    assert.deepEqual(html.match(/Open wallet|Open in app/g), [words])
  }
})

test('coins on a chain name it before the address, and say that no other will do', async () => {
  const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
  const wallet = { address, network: 'Base <L2>', chainId: '8453' }
  const content = `ethereum:${address}@8453?value=1`
  const { html, heading } = await shown({
    method: {
      paymentMethodCode: 'USDC_BASE',
      wallet,
      qr: { format: 'EIP-681', content },
      deepLinks: [content],
    },
  })
  assert.equal(heading, 'Pay with EUR (Base &lt;L2&gt;)')
  assert.match(
    html,
    /id="network"><bdi[^>]*>Base &lt;L2&gt;[\s\S]*Send EUR on Base &lt;L2&gt; only\.[\s\S]*data-copy="0x71C7656EC7ab88b098defB751B7401B5f6d8976F"/,
  )
  assert.match(html, /Open wallet/)
  assert.doesNotMatch(html, /Enter exactly this reference|<dt>Reference/)
})

test('who sends coins is asked for no reference and shown no bank, for the whole and for the rest', async () => {
  const account = {
    accountName: 'Example Ltd',
    accountNumber: 'bc1q',
    bankCode: 'CHAIN',
    bankName: 'Bitcoin',
  }
  const method = { paymentMethodCode: 'CRYPTO', account }
  const rest = { ...money(49.9) }
  for (const more of [{}, { arrived: { ...money(100), rest } }]) {
    const { html } = await shown({ method, more })
    assert.match(html, /data-copy="bc1q"/)
    assert.doesNotMatch(html, /data-copy="RF18|<dt>Reference|Bank and bank code|same reference/)
    if ('arrived' in more) assert.match(html, /Please send the remaining €49\.90 to the same address\./)
  }
})

test('coins that the chain has are said to be on their way, and nothing more is asked for', async () => {
  const wallet = { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', network: 'Base', chainId: '8453' }
  const { html } = await shown({
    processorStatus: 'DETECTED',
    method: { paymentMethodCode: 'USDC_BASE', wallet },
    more: { confirmations: { count: 2, needed: 12 } },
  })
  assert.match(html, /Your payment has been detected\. Confirmation takes a few minutes\./)
  assert.match(html, /<li aria-current="step">Confirmations: 2 of 12<\/li>/)
  assert.doesNotMatch(html, /0x71C7656EC7ab88b098defB751B7401B5f6d8976F/)
})

test('money that came where nobody can be told how to pay the rest leads to the shop', async () => {
  const { html } = await shown({
    processorStatus: 'IN_REVIEW',
    method: { redirectUrl: 'https://bank.example/' },
    more: { arrived: money(50) },
  })
  assert.match(html, /We received €50\.00 of €149\.90\./)
  assert.match(html, /please contact the shop/)
  assert.doesNotMatch(html, /remaining|Still to pay/)
})

test('that no money was taken is said where it is known, and nowhere else', async () => {
  for (const code of ['DECLINED', 'INSUFFICIENT_FUNDS', 'ACCOUNT_CLOSED', 'LIMIT_EXCEEDED'])
    assert.match((await failed(code)).html, /No money was taken\./, code)
  for (const code of ['TIMEOUT', 'NOT_EXECUTED', 'WHO_KNOWS']) {
    const { html } = await failed(code)
    assert.match(html, /If money has left your account, it will be returned within 10 days\./, code)
    assert.doesNotMatch(html, /No money was taken|Only for people/, code)
  }
  const returned = await failed('RETURNED')
  assert.match(returned.html, /sent back to you\..*It can take a few days to reach your account\./s)
  assert.doesNotMatch(returned.html, /If money has left|No money was taken/)
  const { html } = await failed('DECLINED', { arrived: money(50) })
  assert.match(html, /We received €50\.00 of €149\.90\./)
  assert.doesNotMatch(html, /No money was taken/)
})

test('money that came too late, or not as it should, is named, whatever became of the payment', async () => {
  const paid = { status: 'SUCCESS', processedAt: ENDED }
  const late = await shown({ ...paid, processorStatus: 'CONFIRMED_LATE' })
  assert.match(late.html, /Your money arrived after the payment deadline\./)
  const other = await shown({ ...paid, more: { paymentReceived: money(150) } })
  assert.match(other.html, /We received €150\.00 instead of €149\.90\./)
  const expired = await shown({ status: 'EXPIRED', processedAt: ENDED, more: { arrived: money(1) } })
  assert.equal(expired.heading, 'This payment has expired')
  assert.match(expired.html, /We received €1\.00 of €149\.90\./)
  const cancelled = await shown({ status: 'CANCELLED', processedAt: ENDED, more: { arrived: money(200) } })
  assert.match(cancelled.html, /We received €200\.00 instead of €149\.90\./)
  assert.doesNotMatch(cancelled.html, /No money was taken/)
  assert.match(other.html, /<title>Paid €150\.00<.*data-share-text="€150\.00 paid, order ORD-1"/s)
  const back = await shown({ status: 'REVERSED', processedAt: ENDED, more: { paymentReceived: money(150) } })
  assert.match(back.html, /€150\.00 has been returned\./)
  const reversed = await shown({ status: 'REVERSED', processedAt: ENDED })
  assert.match(reversed.html, /€149\.90 has been returned\./)
  for (const { html } of [late, other, expired, cancelled, reversed]) assert.match(html, /contact the shop/)
})

test('what the shop gave back is named: a part beside what was paid, and the whole as the result', async () => {
  const paid = { status: 'SUCCESS', processorStatus: 'CONFIRMED', processedAt: ENDED }
  const part = await shown({ ...paid, more: { paymentRefunded: money(40) } })
  assert.equal(part.heading, 'Payment complete')
  assert.match(part.html, /€40\.00 of €149\.90 has been refunded\./)
  assert.match(part.html, /Refunded<\/dt><dd[^>]*>(<bdi>)?€40\.00/)
  const whole = await shown({ ...paid, more: { paymentRefunded: money(149.9) } })
  assert.equal(whole.heading, 'Payment refunded')
  assert.match(whole.html, /<title>Payment refunded</)
  assert.match(whole.html, /€149\.90 has been refunded\. It can take a few days/)
  const other = await shown({ ...paid, more: { paymentReceived: money(150), paymentRefunded: money(149.9) } })
  assert.equal(other.heading, 'Payment complete')
  assert.match(other.html, /€149\.90 of €150\.00 has been refunded\./)
})

test('a receipt has date, time and zone of the payment, and can be printed, shared and found again', async () => {
  const happenedAt = '2026-06-01T11:34:00.000Z'
  const { html } = await shown({
    status: 'SUCCESS',
    processorStatus: 'CONFIRMED_LATE',
    processedAt: ENDED,
    more: { timeline: [{ status: 'SUCCESS', processorStatus: 'CONFIRMED_LATE', happenedAt }] },
  })
  assert.match(
    html,
    /<dd id="moment"><bdi><time datetime="2026-06-01T11:34:00\.000Z" data-enhance="local-time" data-local-time="moment">1 June 2026 at 11:34 UTC<\/time>/,
  )
  for (const name of ['print', 'share']) assert.match(html, new RegExp(`data-enhance="${name}"[^>]* hidden`))
  assert.match(html, /data-copy="http:\/\/localhost:1\/p\/[\w-]{22}"/)
})

test('what has happened is told with its times', async () => {
  const { html } = await shown({
    processorStatus: 'IN_REVIEW',
    more: {
      externalReference: '123456789012',
      timeline: [
        ['AWAITING_REFERENCE', '12:00'],
        ['REFERENCE_SUBMITTED', '12:21'],
        ['IN_REVIEW', '12:23'],
      ].map(([processorStatus, time]) => ({
        status: 'CREATED',
        processorStatus,
        happenedAt: `2026-06-01T${time ?? ''}:00.000Z`,
      })),
    },
  })
  const [list = ''] = /<ol class="timeline".*?<\/ol>/s.exec(html) ?? []
  const items = [...list.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, item = '']) =>
    item.replace(/<[^>]*>/g, '').replaceAll(' ', ' '),
  )
  assert.deepEqual(items, [
    'Details sent 12:00 UTC',
    'Reference sent 12:21 UTC',
    'Our team is reviewing it 12:23 UTC',
    'Waiting for confirmation',
  ])
})

const viewOf = (language: string) =>
  bareView({ isLive: true, clock: { nowMs: () => START_MS } }, textsFor(undefined, language))

test('a moment stands in the middle of its sentence in every language', () => {
  for (const language of LANGUAGES) {
    const view = viewOf(language)
    for (const key of ['deadline.payBefore', 'leave.text'] as const) {
      const { text } = sayAround(view, key, 'moment', momentTag(view, '2026-06-01T11:34:00Z'))
      assert.equal(text.match(/<time /g)?.length, 1, `${language} ${key}`)
      assert.ok(!text.includes('{') && !text.includes('\u0001'), `${language} ${key}`)
    }
  }
})

test('the shop is named with the way to it, and only one that is a way', () => {
  const shop = { name: 'A & B', supportUrl: 'https://shop.example/help' }
  assert.match(
    contact({ ...viewOf('en'), shop }).text,
    /<a href="https:\/\/shop\.example\/help"[^>]*>Contact A &amp; B</,
  )
  for (const supportUrl of ['javascript:alert(1)', 'data:text/html,x'])
    assert.doesNotMatch(contact({ ...viewOf('en'), shop: { ...shop, supportUrl } }).text, /<a/)
})
