import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { html } from '@tollgate/runtime/html'
import { testBrowser } from '@tollgate/testkit/browser'
import { assets } from '../../src/assets/index.ts'
import { bareView, textsFor } from '../../src/drawing.ts'
import { frame } from '../../src/screens/frame.ts'

// What stays in front on a phone: the shop, the whole amount, and a way to another language.

const browser = await testBrowser({ after })
const built = assets()
const LINE_PX_MAX = 30
const LARGEST = { amount: '1499999.9', currencyCode: 'BRL' }

/** The frame of a page, with its own stylesheet. */
function pageIn(language: string, money: typeof LARGEST): string {
  const view = {
    ...bareView({ isLive: true, clock: { nowMs: () => 0 } }, textsFor(undefined, language)),
    base: '/p/x',
    shop: { name: 'Bookshop at the Corner' },
    money,
  }
  const style = `<style>${built.stylesheet.body.toString()}</style>`
  return frame(view, { heading: 'Pay', content: html`` }, built)
    .replace(/<link rel="stylesheet"[^>]*>/, () => style)
    .replace(/<script.*?<\/script>/s, '')
}

test('an amount stays in one piece beside the languages, however narrow the phone is', async () => {
  const { page } = await browser.open()
  for (const [language, money] of [
    ['pt-BR', LARGEST],
    ['es', { ...LARGEST, currencyCode: 'EUR' }],
    ['cs', { ...LARGEST, currencyCode: 'CZK' }],
    ['en', { amount: '0.00213456', currencyCode: 'BTC' }],
  ] as const)
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 720 })
      await page.setContent(pageIn(language, money))
      const sum = (await page.locator('.bar__sum bdi').boundingBox()) ?? assert.fail('no amount')
      const other = (await page.locator('.languages').boundingBox()) ?? assert.fail('no languages')
      assert.ok(sum.height < LINE_PX_MAX, `${language} at ${width} px: ${sum.height} px high`)
      assert.ok(sum.x + sum.width <= other.x, `${language} at ${width} px: under the languages`)
      assert.match((await page.locator('.languages summary').textContent()) ?? '', /: \S/)
    }
})

test('with text at twice its size nothing stays in front, and the amount is still in one piece', async () => {
  const { page } = await browser.open()
  // As many letters a line as 320 px have then.
  await page.setViewportSize({ width: 160, height: 360 })
  await page.setContent(pageIn('pt-BR', LARGEST))
  const sum = (await page.locator('.bar__sum bdi').boundingBox()) ?? assert.fail('no amount')
  assert.ok(sum.height < LINE_PX_MAX, `${sum.height} px high`)
  const name = (await page.locator('.bar__name').boundingBox()) ?? assert.fail('no name')
  assert.ok(name.width > 75, `the name of the shop has ${name.width} px`)
  assert.equal(await page.locator('.bar').evaluate((bar) => getComputedStyle(bar).position), 'static')
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 160)
})
