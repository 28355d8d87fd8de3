import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBrowser } from '../src/browser.ts'

test('a page shows what it was given, is as wide as asked, and remembers what it complained about', async (t) => {
  const browser = await testBrowser(t)
  const { page, complaints } = await browser.open({ width: 320 })
  await page.setContent('<h1>Hello</h1><script>console.error("broken"); throw new Error("thrown")</script>')
  assert.equal(await page.textContent('h1'), 'Hello')
  assert.equal(await page.evaluate('window.innerWidth'), 320)
  assert.deepEqual(complaints, ['broken', 'thrown'])
})

test('without JavaScript no script runs', async (t) => {
  const browser = await testBrowser(t)
  const { page, complaints } = await browser.open({ javaScript: false })
  await page.setContent('<h1>Hello</h1><script>document.querySelector("h1").textContent = "Changed"</script>')
  assert.equal(await page.textContent('h1'), 'Hello')
  assert.deepEqual(complaints, [])
})
