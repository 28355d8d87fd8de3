import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// The documentation as a site: every Markdown file of the repository at its own path, so that links are those of the repository.

const ROOT = resolve(import.meta.dirname, '../..')

interface Item {
  readonly text: string
  readonly link: string
}

const titleOf = (file: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1]?.replaceAll('`', '') ?? file

const page = (file: string): Item => ({ text: titleOf(file), link: `/${file.replace(/\.md$/, '')}` })

const pagesIn = (folder: string): readonly Item[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => page(`${folder}/${name}`))

const group = (text: string, items: readonly Item[]) => ({ text, collapsed: true, items })

interface Token {
  readonly type: string
  tag: string
  attrs: [string, string][] | null
  readonly children: readonly Token[] | null
}

interface Markdown {
  set(options: { readonly html: boolean }): void
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: { readonly tokens: readonly Token[] }) => void): void }
  }
}

/** HTML in a page is text, and a link to what is no page of the site is text as well. */
function plainPages(md: Markdown): void {
  md.set({ html: false })
  md.core.ruler.push('links-to-sources', ({ tokens }) => {
    for (const { children } of tokens) unlinkSources(children ?? [])
  })
}

const IS_PAGE = /^(?:https?:|#)|\.md(?:#|$)/

function unlinkSources(tokens: readonly Token[]): void {
  let isSource = false
  for (const token of tokens) {
    if (token.type === 'link_open')
      isSource = !IS_PAGE.test(token.attrs?.find(([name]) => name === 'href')?.[1] ?? '')
    if (!isSource || !token.type.startsWith('link_')) continue
    token.tag = 'span'
    token.attrs = null
  }
}

/** What VitePress is told. */
export const site = {
  title: 'Tollgate',
  description: 'An open-source payment gateway that anyone can run',
  srcDir: 'dist/pages',
  outDir: 'dist/site',
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  cleanUrls: true,
  cacheDir: 'dist/cache',
  metaChunk: true,
  // Addresses of a gateway that runs.
  ignoreDeadLinks: 'localhostLinks',
  markdown: { config: plainPages },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    sidebar: [
      {
        text: 'Start',
        items: [page('README.md'), page('docs/guides/first-payment.md'), page('packages/sdk/README.md')],
      },
      group('Guides', pagesIn('docs/guides')),
      group('Operate and look up', pagesIn('docs')),
      group('Errors', pagesIn('docs/errors')),
      group('Change the code', [page('ARCHITECTURE.md'), page('CONTRIBUTING.md'), page('docs/tour.md')]),
      group('Decisions', pagesIn('docs/decisions')),
    ],
  },
}
