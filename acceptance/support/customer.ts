import assert from 'node:assert/strict'
import { waitUntil } from '@tollgate/testkit'

/** A page as it came, after all redirects. */
interface Shown {
  readonly status: number
  /** Where it is, path and query. */
  readonly path: string
  readonly html: string
  readonly headers: Headers
  /** All addresses on the way here. */
  readonly way: readonly string[]
}

/** A customer's browser without scripts: it keeps cookies, follows redirects and fills in forms. */
export interface Customer {
  /** The page in front of the customer. */
  readonly shown: Shown
  open(url: string): Promise<Shown>
  /** Sends the form that goes to the action, with what is in it and what is typed. */
  submit(action: string, typed?: Readonly<Record<string, string>>): Promise<Shown>
  /** Asks the same address again. */
  reload(): Promise<Shown>
  /** Follows the link with this text. */
  follow(text: RegExp): Promise<Shown>
  /** Sends what a form would, without looking at one. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Record<string, string>,
  ): Promise<Shown>
  /** The text of the heading. */
  heading(): string
  cookies(): readonly string[]
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

const REDIRECTS_MAX = 10

interface Sent {
  readonly method?: string
  readonly body?: URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

/** Somebody who comes to the page for the first time. */
export function newCustomer(site: string, language = 'en'): Customer {
  const cookies: Cookie[] = []
  let shown: Shown | undefined

  async function go(url: string, sent: Sent = {}): Promise<Shown> {
    const way: string[] = []
    let next: Sent & { readonly url: URL } = { url: new URL(url, site), ...sent }
    for (let count = 0; count < REDIRECTS_MAX; count += 1) {
      way.push(next.url.href)
      const response = await fetch(next.url, {
        method: next.method ?? 'GET',
        ...(next.body !== undefined && { body: next.body }),
        redirect: 'manual',
        headers: { 'accept-language': language, cookie: cookiesFor(next.url), ...next.headers },
      })
      keep(response)
      const location = response.headers.get('location')
      if (location === null) {
        const { status, headers } = response
        shown = {
          status,
          headers,
          html: await response.text(),
          path: next.url.pathname + next.url.search,
          way,
        }
        return shown
      }
      next = { url: new URL(location, next.url) }
    }
    throw new Error(`more than ${REDIRECTS_MAX} redirects`)
  }

  function cookiesFor({ pathname }: URL): string {
    return cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  function keep(response: Response): void {
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = '', path = ''] = /^([^=]+)=([^;]*);.*?Path=([^;]+)/.exec(text) ?? []
      const at = cookies.findIndex((each) => each.name === name && each.path === path)
      cookies.splice(at === -1 ? cookies.length : at, 1, { name, value, path })
    }
  }

  const current = (): Shown => shown ?? assert.fail('no page has been opened')
  const post: Customer['post'] = (path, fields, headers = {}) =>
    go(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    })
  return {
    get shown() {
      return current()
    },
    open: (url) => go(url),
    reload: () => go(current().path),
    submit(action, typed = {}) {
      const form = formTo(current().html, action)
      return post(form.action, { ...form.fields, ...typed })
    },
    async follow(text) {
      const links = [...current().html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
      const found = links.find(([, , words = '']) => text.test(words))
      assert.ok(found, `no link says ${String(text)}:\n${current().html}`)
      return go(decoded(found[1] ?? ''))
    },
    post,
    heading: () => headingOf(current().html),
    cookies: () => cookies.map(({ name, value }) => `${name}=${value}`),
  }
}

const HEADING_TIMEOUT_MS = 60_000

/** Reloads, as the page does by itself, until the heading says so. */
export async function untilHeading(customer: Customer, heading: RegExp): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    await customer.reload()
    return heading.test(customer.heading())
  }
  await waitUntil(isThere, {
    timeoutMs: HEADING_TIMEOUT_MS,
    what: `a page that says ${String(heading)}`,
  }).catch((error: unknown) => assert.fail(`${String(error)}, it says ${customer.heading()}`))
}

interface Form {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

const headingOf = (html: string): string => decoded(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '')

/** The form whose action ends so, with what is in it: hidden and text fields, and what is checked. */
function formTo(html: string, action: string): Form {
  const forms = [...html.matchAll(/<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)]
  const [, path = '', content = ''] =
    forms.find(([, each = '']) => each.endsWith(`/${action}`)) ??
    assert.fail(`no form goes to ${action} from "${headingOf(html)}":\n${html}`)
  const fields: Record<string, string> = {}
  for (const [input] of content.matchAll(/<input[^>]*>/g)) {
    const name = attribute(input, 'name')
    const isChoice = / type="(?:radio|checkbox)"/.test(input)
    if (name !== undefined && (!isChoice || / checked/.test(input)))
      fields[name] = attribute(input, 'value') ?? ''
  }
  return { action: decoded(path), fields }
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : decoded(value)
}

const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
