/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { attributes } from '@tollgate/runtime/html'
import { waitUntil } from '@tollgate/testkit'
import { type PageOptions, type TestBrowser, testBrowser } from '@tollgate/testkit/browser'
import { ibanAttributes } from '../../src/formats/index.ts'
import { createTexts } from '../../src/messages/index.ts'
import { type FixtureSite, fixtureSite, stateOf } from './fixture-site.ts'

const texts = createTexts('en')
const quoted = (of: Readonly<Record<string, string>>): string => attributes(of).text
const live = `<div ${quoted({
  'data-enhance': 'live',
  'data-live-state': 'waiting',
  'data-live-events': '/events',
  'data-live-poll': '/state',
  'data-live-url': '/done',
  'data-live-changed': 'It moved on.',
})}><p id="notice" data-live-notice hidden><a href="/done">Show</a></p></div>`

const bank = (code: string, name: string): string =>
  `<li class="choice" data-filter-item="${name}"><button name="bank" value="${code}" id="${code}">${name}</button></li>`

const countdown = (deadline: string): string =>
  `<p id="countdown" data-enhance="countdown" data-deadline="${deadline}" data-server-now="2031-01-01T00:00:00Z" data-total-seconds="3600"${quoted({ 'data-countdown-left': texts.template('countdown.minutes'), 'data-countdown-over': 'Time is over.' })}>Pay before 0:10 <span id="clock" data-countdown-clock hidden></span></p>${live}`

const PAGES: Readonly<Record<string, string>> = {
  '/done': '<h1>Done</h1>',
  '/bank': `<form method="post" action="/sent" data-enhance="single-submit" data-submitting="Sending">
<div data-enhance="filter"${quoted({ 'data-filter-results': texts.template('choose.results'), 'data-filter-none': 'Nothing.' })}>
<div data-filter-tools hidden><input id="q" type="search" data-filter-input aria-label="Search"></div>
<p id="count" data-filter-count></p>
<section id="group" data-filter-group><h2>Banks</h2><ul class="choices">${bank('CS', 'Česká spořitelna')}${bank('KB', 'Komerční banka')}${bank('ING', 'ING')}</ul></section></div>
<input id="iban" name="iban" data-enhance="iban"${quoted(ibanAttributes(texts))} data-error="iban-error" aria-label="IBAN"><p id="iban-error" class="error" hidden></p>
<button id="send" class="button" name="action" value="pay">Pay</button></form>`,
  '/pay': `<bdi id="value">DE89 3704</bdi>
<button id="copy" type="button" class="button" data-enhance="copy" data-copy="DE893704" data-copy-from="value" data-copied="Copied: IBAN" data-copied-short="Copied" data-copy-failed="Press and hold" hidden>Copy</button>
<p id="offline" class="banner" data-enhance="offline" data-offline-back="Online again." hidden>You are offline.</p>
<button id="share" type="button" data-enhance="share" data-share-title="Receipt" hidden>Share</button>
<button id="print" type="button" data-enhance="print" hidden>Print</button>
<a id="app" href="#app" data-enhance="app-link" data-app-hint="no-app">Open</a><p id="no-app" hidden>No app?</p>`,
  '/countdown': countdown('2031-01-01T00:10:05Z'),
  '/over': countdown('2031-01-01T00:00:03Z'),
  '/times': `<time id="moment" datetime="2031-01-01T22:30:00Z" data-enhance="local-time" data-local-time="moment">then</time><time id="time" datetime="2031-01-01T22:30:00Z" data-enhance="local-time" data-local-time="time">then</time><time id="none" datetime="x" data-enhance="local-time">then</time>`,
  '/live': `${live}<input id="typed" aria-label="Reference">`,
  '/proceed': `<p id="going" data-enhance="proceed" data-proceed-link="go" data-proceed-seconds="5"${quoted({ 'data-proceed-text': texts.template('proceed.continuing') })} hidden><span id="left" data-proceed-count></span> <button id="stop" type="button" data-proceed-stop>Stop</button></p><a id="go" href="/done">Go</a><button id="print" type="button" data-enhance="print" hidden>Print</button>`,
}

/** The same, to another site. */
const leaving = (PAGES['/proceed'] ?? '').replace('href="/done"', 'href="http://localhost:1/bank"')

const WAIT_MS = 5_000
/** By how much the time of a page is moved at once. */
const STEP_MS = 3_000
/** The browser itself reports answers that are errors; some are meant here. */
const EXPECTED = /Failed to load resource|ERR_INTERNET_DISCONNECTED/

type Opened = Awaited<ReturnType<TestBrowser['open']>>['page']

describe('the script in a browser', () => {
  const cleaners: (() => void | Promise<void>)[] = []
  const life = { after: (clean: () => void | Promise<void>) => void cleaners.unshift(clean) }
  let browser: TestBrowser
  let site: FixtureSite

  before(async () => {
    ;[site, browser] = await Promise.all([
      fixtureSite(life, { ...PAGES, '/leaving': leaving }),
      testBrowser(life),
    ])
  })
  beforeEach(() => {
    site.stream = 'OPEN'
    site.answer = stateOf('waiting')
  })
  after(async () => {
    for (const clean of cleaners) await clean()
  })

  /** Opens a page whose time the test moves, does something there, and looks whether the browser complained. */
  async function at(
    path: string,
    act: (page: Opened) => Promise<void>,
    options: PageOptions = {},
  ): Promise<void> {
    const { page, complaints } = await browser.open(options)
    try {
      await page.clock.install()
      await page.goto(site.url + path)
      await act(page)
      assert.deepEqual(
        complaints.filter((complaint) => !EXPECTED.test(complaint)),
        [],
      )
    } finally {
      // Its context ends with the browser; what it still does ends now.
      await page.goto('about:blank')
      await nobodyListens()
    }
  }
  const textOf = async (page: Opened, selector: string): Promise<string> =>
    (await page.textContent(selector)) ?? ''
  const says = (page: Opened, text: string): Promise<void> =>
    waitUntil(async () => (await textOf(page, '[data-announcer]')) === text, {
      timeoutMs: WAIT_MS,
      what: text,
    })
  const isAt = (page: Opened, path: string): Promise<void> =>
    page.waitForURL(site.url + path, { timeout: WAIT_MS })
  const hasListener = (): Promise<void> =>
    waitUntil(() => site.listeners() > 0, { timeoutMs: WAIT_MS, what: 'a listener' })
  const nobodyListens = (): Promise<void> =>
    waitUntil(() => site.listeners() === 0, { timeoutMs: WAIT_MS, what: 'the stream to be closed' })
  /** Waits until the page has looked so often, and has read the answer: what it asks afterwards comes back later. */
  async function asks(page: Opened, times: number): Promise<void> {
    await waitUntil(() => site.hits('/state') >= times, {
      timeoutMs: WAIT_MS,
      what: `${String(times)} looks`,
    })
    await settles(page)
  }
  /** What the page has sent before has arrived, and what was answered has been read. */
  async function settles(page: Opened): Promise<void> {
    await page.evaluate(async () => {
      await (await fetch('/done')).text()
    })
  }
  /** Moves the time of the page, slowly enough for answers to come before the page gives them up. */
  async function passes(page: Opened, seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += STEP_MS / 1_000) {
      await page.clock.runFor(STEP_MS)
      await settles(page)
    }
  }
  /** Moves the time of the page until it has gone on. */
  async function goesOn(page: Opened, address = `${site.url}/done`): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      if (page.url() === address) return true
      // A page that is just going away has no time to move.
      await page.clock.runFor(STEP_MS).catch(() => undefined)
      return false
    }
    await waitUntil(isThere, { timeoutMs: WAIT_MS, what: 'the next page' })
  }

  it('stands under a policy that refuses HTML from scripts', async () => {
    const { page, complaints } = await browser.open()
    await page.goto(`${site.url}/bank`)
    assert.deepEqual(complaints, [])
    const refusal = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<p>x</p>'
        return 'taken'
      } catch (error) {
        return error instanceof TypeError ? 'refused' : 'other'
      }
    })
    assert.equal(refusal, 'refused')
    await waitUntil(() => complaints.length > 0, { timeoutMs: WAIT_MS, what: 'the complaint' })
    assert.match(complaints.join(), /TrustedHTML/)
  })

  it('leaves what needs it hidden where scripts are off', () =>
    at(
      '/pay',
      async (page) => {
        for (const id of ['copy', 'share', 'print', 'offline', 'no-app'])
          assert.equal(await page.isVisible(`#${id}`), false, id)
        assert.equal(await page.isVisible('#value'), true)
      },
      { javaScript: false },
    ))

  it('searches a list without regard to diacritics, tells the count, and leads to the only match', () =>
    at('/bank', async (page) => {
      await page.fill('#q', 'xyz')
      assert.equal(await page.isVisible('#group'), false)
      await page.fill('#q', 'ceska')
      assert.deepEqual(
        await page
          .locator('[data-filter-item]:visible button')
          .evaluateAll((found) => found.map(({ id }) => id)),
        ['CS'],
      )
      assert.equal(await textOf(page, '#count'), '1 result')
      await page.clock.runFor(1_000)
      await says(page, '1 result')
      await page.press('#q', 'Enter')
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'CS')
      await page.fill('#q', 'xyz')
      assert.equal(await textOf(page, '#count'), 'Nothing.')
      assert.equal(await page.isVisible('#ING'), false)
      await page.press('#q', 'Escape')
      assert.equal(await page.inputValue('#q'), '')
      assert.equal(await page.locator('[data-filter-item]:visible').count(), 3)
      assert.deepEqual(site.sent, [])
    }))

  it('groups an IBAN as it is typed and keeps the caret at its symbol', () =>
    at('/bank', async (page) => {
      await page.locator('#iban').pressSequentially('de893704004405')
      assert.equal(await page.inputValue('#iban'), 'DE89 3704 0044 05')
      for (const key of [
        'Home',
        ...Array.from({ length: 5 }, () => 'ArrowRight'),
        'Backspace',
        'Backspace',
        '7',
      ])
        await page.press('#iban', key)
      assert.equal(await page.inputValue('#iban'), 'DE87 3704 0044 05')
      assert.equal(
        await page
          .locator('#iban')
          .evaluate((input) => input instanceof HTMLInputElement && input.selectionStart),
        5,
      )
    }))

  it('judges an IBAN: what is wrong at once, that it is short when the field is left', () =>
    at('/bank', async (page) => {
      const error = async (): Promise<string> =>
        (await page.isVisible('#iban-error')) ? textOf(page, '#iban-error') : ''
      await page.fill('#iban', 'DE89 3704')
      assert.equal(await error(), '')
      await page.press('#iban', 'Tab')
      assert.equal(await error(), 'An IBAN that starts with DE has 22 characters; you entered 8.')
      await says(page, 'An IBAN that starts with DE has 22 characters; you entered 8.')
      await page.fill('#iban', 'ZZ8')
      assert.equal(await error(), 'An IBAN starts with a two-letter country code; ZZ is not one.')
      await page.fill('#iban', 'DE89370400440532013001')
      assert.equal(await error(), 'This IBAN contains a typing error. Please check every character.')
      assert.equal(await page.getAttribute('#iban', 'aria-invalid'), 'true')
      await page.fill('#iban', '\u200eDE89-3704 0044 0532 0130 ٠٠')
      assert.equal(await error(), '')
      assert.equal(await page.getAttribute('#iban', 'aria-invalid'), null)
    }))

  it('sends a form once, with the name of its button, however often it is pressed', () =>
    at('/bank', async (page) => {
      site.sent.length = 0
      await page.locator('#send').dblclick()
      await page.press('#send', 'Enter')
      await waitUntil(() => site.sent.length > 0, { timeoutMs: WAIT_MS, what: 'the form' })
      await says(page, 'Sending')
      assert.equal(await page.getAttribute('#send', 'aria-disabled'), 'true')
      assert.deepEqual(site.sent, ['iban=&action=pay'])
      await page.clock.runFor(16_000)
      await page.click('#send')
      await waitUntil(() => site.sent.length === 2, { timeoutMs: WAIT_MS, what: 'the second form' })
    }))

  it('copies the value for machines and says so only when the browser has confirmed it', () =>
    at('/pay', async (page) => {
      // A clipboard that takes its time: the system's own is not there in every headless browser.
      await page.evaluate(() => {
        const writeText = (text: string): Promise<void> =>
          new Promise((resolve) => {
            document.title = text
            addEventListener('confirmed', () => resolve(), { once: true })
          })
        Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
      })
      await page.click('#copy')
      assert.equal(await page.title(), 'DE893704')
      await page.clock.runFor(1_000)
      assert.equal(await textOf(page, '#copy'), 'Copy')
      await page.evaluate(() => dispatchEvent(new Event('confirmed')))
      await says(page, 'Copied: IBAN')
      assert.equal(await textOf(page, '#copy'), 'Copied')
      await page.clock.runFor(5_000)
      assert.equal(await textOf(page, '#copy'), 'Copy')
    }))

  it('marks the text to be copied by hand where there is no clipboard', () =>
    at('/pay', async (page) => {
      await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
      await page.click('#copy')
      await says(page, 'Press and hold')
      assert.equal(await page.evaluate(() => String(getSelection())), 'DE89 3704')
    }))

  it('tells of a lost network and of its return', () =>
    at('/pay', async (page) => {
      assert.equal(await page.isVisible('#offline'), false)
      await page.context().setOffline(true)
      await says(page, 'You are offline.')
      assert.equal(await page.isVisible('#offline'), true)
      await page.context().setOffline(false)
      await says(page, 'Online again.')
      assert.equal(await page.isVisible('#offline'), false)
    }))

  it('shares without the address of the page unless one is given', async () => {
    const { page } = await browser.open()
    // Its context ends with the browser.
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'share', {
        value: (given: unknown) => {
          document.title = JSON.stringify(given)
          return Promise.reject(new Error('the customer thinks again'))
        },
      })
    })
    await page.goto(`${site.url}/pay`)
    await page.click('#share')
    assert.equal(await page.title(), '{"title":"Receipt"}')
  })

  it('gives help when no app has taken a link, and none when one has', () =>
    at('/pay', async (page) => {
      await page.click('#app')
      await setVisibility(page, 'hidden')
      await setVisibility(page, 'visible')
      await page.clock.runFor(3_000)
      assert.equal(await page.isVisible('#no-app'), false)
      await page.click('#app')
      await page.clock.runFor(3_000)
      assert.equal(await page.isVisible('#no-app'), true)
    }))

  it('loads a page anew that comes out of the cache of the back button', () =>
    at('/pay', async (page) => {
      const before = site.hits('/pay')
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false })))
      await Promise.all([
        page.waitForEvent('load'),
        // The page goes away while it answers.
        page
          .evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
          .catch(() => undefined),
      ])
      assert.equal(site.hits('/pay'), before + 1)
    }))

  it('counts down by the clock of the server, and speaks', () =>
    at('/countdown', async (page) => {
      await hasListener()
      assert.equal(await page.isVisible('#clock'), false)
      await page.clock.runFor(10_000)
      assert.match(await textOf(page, '#clock'), /^9:5\d$/)
      assert.equal(await page.isVisible('#clock'), true)
      await says(page, '10 minutes left')
      await page.clock.fastForward(480_000)
      await says(page, '2 minutes left')
    }))

  it('asks when the time is over instead of declaring the end', () =>
    at('/over', async (page) => {
      await hasListener()
      const looks = site.hits('/state')
      assert.match(await textOf(page, '#clock'), /^0:0[1-3]$/)
      // Less than the silence after which the page would ask anyway.
      await page.clock.runFor(4_000)
      assert.equal(await textOf(page, '#countdown'), 'Time is over.')
      await asks(page, looks + 1)
      assert.ok(page.url().endsWith('/over'))
    }))

  for (const [locale, moment, time] of [
    ['en-GB', '2 January 2031 at 07:30 GMT+9', '07:30 GMT+9'],
    ['en-US', 'January 2, 2031 at 7:30 AM GMT+9', '7:30 AM GMT+9'],
    ['de-DE', '2 January 2031 at 07:30 GMT+9', '07:30 GMT+9'],
  ] as const)
    it(`tells times in the zone of the customer, by its name, in the English of ${locale}, and leaves alone what is none`, async () => {
      const { page, complaints } = await browser.open({ locale })
      const settings = await page.context().newCDPSession(page)
      await settings.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
      await page.goto(`${site.url}/times`)
      const isTold = async (): Promise<boolean> => (await textOf(page, '#time')) !== 'then'
      await waitUntil(isTold, { timeoutMs: WAIT_MS, what: 'the time to be told' })
      const plain = async (selector: string): Promise<string> =>
        (await textOf(page, selector)).replaceAll('\u202f', ' ')
      assert.equal(await plain('#moment'), moment)
      assert.equal(await plain('#time'), time)
      assert.equal(await plain('#none'), 'then')
      assert.deepEqual(complaints, [])
    })

  it('follows the stream: the same state changes nothing, another one brings the next page', () =>
    at('/live', async (page) => {
      await hasListener()
      site.tell('waiting')
      site.tell('paid')
      await isAt(page, '/done')
      await nobodyListens()
    }))

  it('asks when the stream is silent, ever more patiently, until something is new', () =>
    at('/live', async (page) => {
      await hasListener()
      const looks = site.hits('/state')
      await page.clock.runFor(10_500)
      await nobodyListens()
      await settles(page)
      assert.equal(site.hits('/state'), looks)
      await page.clock.runFor(3_100)
      await asks(page, looks + 1)
      site.answer = stateOf('paid')
      await goesOn(page)
    }))

  it('asks soon when the stream is refused, and keeps to the pause that a busy server wants', async () => {
    site.stream = 'REFUSED'
    site.answer = { status: 503, body: '', headers: { 'retry-after': '40' } }
    await at('/live', async (page) => {
      await waitUntil(() => site.hits('/events') > 0, {
        timeoutMs: WAIT_MS,
        what: 'the stream to be refused',
      })
      const looks = site.hits('/state')
      await page.clock.runFor(3_100)
      await asks(page, looks + 1)
      site.answer = stateOf('paid')
      await passes(page, 30)
      assert.equal(site.hits('/state'), looks + 1)
      await goesOn(page)
    })
  })

  it('stops asking when the server refuses from the start, and goes on when it refuses later', async () => {
    site.stream = 'REFUSED'
    site.answer = { ...stateOf('gone'), status: 401 }
    await at('/live', async (page) => {
      const looks = site.hits('/state')
      await page.clock.runFor(3_100)
      await asks(page, looks + 1)
      await passes(page, 60)
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      await settles(page)
      assert.equal(site.hits('/state'), looks + 1)
      assert.ok(page.url().endsWith('/live'))
    })
    site.answer = stateOf('waiting')
    await at('/live', async (page) => {
      const looks = site.hits('/state')
      await page.clock.runFor(3_100)
      await asks(page, looks + 1)
      site.answer = { ...stateOf('gone'), status: 410 }
      await goesOn(page)
    })
  })

  it('rests while nobody looks, and looks at once when somebody does', () =>
    at('/live', async (page) => {
      await hasListener()
      const looks = site.hits('/state')
      await setVisibility(page, 'hidden')
      await nobodyListens()
      await passes(page, 60)
      assert.equal(site.hits('/state'), looks)
      await setVisibility(page, 'visible')
      await asks(page, looks + 1)
      await hasListener()
      // Away and back before the pause between two looks is over: it listens nevertheless.
      await setVisibility(page, 'hidden')
      await nobodyListens()
      await setVisibility(page, 'visible')
      await hasListener()
    }))

  it('does not take the page away from somebody who is typing', () =>
    at('/live', async (page) => {
      await page.fill('#typed', '4000')
      await hasListener()
      site.tell('paid')
      await says(page, 'It moved on.')
      assert.equal(await page.isVisible('#notice'), true)
      assert.ok(page.url().endsWith('/live'))
      assert.equal(await page.inputValue('#typed'), '4000')
    }))

  it('goes on by itself after some seconds, and says so', () =>
    at('/proceed', async (page) => {
      await says(page, 'Continuing automatically in 5 seconds.')
      await page.clock.runFor(2_000)
      assert.match(await textOf(page, '#left'), /in [1-3] seconds?[.]/)
      await goesOn(page)
    }))

  it('leaves for another site once: who comes back by the history decides, and after a reload, too', () =>
    at('/leaving', async (page) => {
      await page.route('http://localhost:1/bank', (route) => route.fulfill({ body: 'The bank.' }))
      await says(page, 'Continuing automatically in 5 seconds.')
      await goesOn(page, 'http://localhost:1/bank')
      await page.waitForLoadState()
      await page.goBack()
      await page.waitForURL(`${site.url}/leaving`, { timeout: WAIT_MS })
      for (const isReloaded of [false, true]) {
        if (isReloaded) await page.reload()
        await passes(page, 20)
        assert.ok(page.url().endsWith('/leaving'))
        assert.equal(await page.isVisible('#going'), false)
        assert.equal(await page.isVisible('#go'), true)
      }
    }))

  it('stays when it is told to, and when the customer prints', async () => {
    await at('/proceed', async (page) => {
      await page.click('#stop')
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'go')
      await page.clock.runFor(20_000)
      assert.ok(page.url().endsWith('/proceed'))
      assert.equal(await page.locator('#going').count(), 0)
    })
    await at('/proceed', async (page) => {
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
      await page.clock.runFor(20_000)
      assert.ok(page.url().endsWith('/proceed'))
    })
  })

  it('does not go on by itself where less motion is wanted', async () => {
    const { page } = await browser.open()
    // Its context ends with the browser.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.clock.install()
    await page.goto(`${site.url}/proceed`)
    await page.clock.runFor(20_000)
    assert.ok(page.url().endsWith('/proceed'))
    assert.equal(await page.isVisible('#going'), false)
  })
})

/** What a browser tells when a page goes to the back or comes to the front. */
async function setVisibility(page: Opened, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
