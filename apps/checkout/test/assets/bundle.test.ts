import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ASSETS_PATH } from '@tollgate/page-server'
import {
  buildScript,
  buildStylesheet,
  SCRIPT_PARTS,
  STYLESHEET_PARTS,
  sourceOf,
} from '../../src/assets/bundle.ts'
import { assets, inventoryOf } from '../../src/assets/index.ts'

const SCRIPT_BYTES_MAX = 10 * 1024
const STYLESHEET_BYTES_MAX = 8 * 1024

const FOLDER = new URL('../../src/assets/', import.meta.url)
const built = assets()
const both = [built.stylesheet, built.script]
const script = buildScript()
const stylesheet = buildStylesheet()

describe('the script that is kept', () => {
  it('is the one that was built, until what it is made of changes', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-page-'))
    t.after(() => rmSync(folder, { recursive: true }))
    assert.equal(buildScript(folder), script)
    const [name = '', ...others] = readdirSync(folder)
    assert.deepEqual(others, [])
    assert.equal(readFileSync(join(folder, name), 'utf8'), script)
    writeFileSync(join(folder, name), 'kept')
    assert.equal(buildScript(folder), 'kept')
    writeFileSync(join(folder, 'file'), '')
    assert.equal(buildScript(join(folder, 'file')), script, 'a folder that cannot be written')
  })
})

describe('the files for the browser', () => {
  it('are small when they are packed', () => {
    assert.ok(built.script.gzip.length <= SCRIPT_BYTES_MAX, `${String(built.script.gzip.length)} bytes`)
    assert.ok(
      built.stylesheet.gzip.length <= STYLESHEET_BYTES_MAX,
      `${String(built.stylesheet.gzip.length)} bytes`,
    )
  })

  it('unpack to what they are', () => {
    for (const { body, gzip, br } of both) {
      assert.deepEqual(gunzipSync(gzip), body)
      assert.deepEqual(brotliDecompressSync(br), body)
    }
  })

  it('carry the hash of their content in their path and their integrity', () => {
    for (const { body, path, integrity } of both) {
      const digest = createHash('sha384').update(body).digest()
      assert.equal(integrity, `sha384-${digest.toString('base64')}`)
      assert.ok(path.startsWith(ASSETS_PATH))
      assert.equal(path.split('.')[1], digest.toString('hex').slice(0, 16))
    }
    assert.match(built.stylesheet.path, /[.]css$/)
    assert.match(built.script.path, /[.]js$/)
  })

  it('are the same at every start', () => {
    const again = assets()
    assert.deepEqual(
      [again.stylesheet.integrity, again.script.integrity],
      both.map(({ integrity }) => integrity),
    )
  })

  it('are all in the inventory, each with its purpose', () => {
    const rows = inventoryOf(built)
    assert.deepEqual(
      rows.map(({ path, integrity }) => ({ path, integrity })),
      both.map(({ path, integrity }) => ({ path, integrity })),
    )
    for (const { purpose } of rows) assert.match(purpose, /^[A-Z].{10,}[.]$/)
  })
})

describe('the script', () => {
  it('is made of every file in its folder', () => {
    const files = readdirSync(new URL('client/', FOLDER)).map((file) => `client/${file}`)
    assert.deepEqual(SCRIPT_PARTS.filter((part) => part.startsWith('client/')).sort(), files.sort())
  })

  it('has each part after those that it imports', () => {
    const seen = new Set<string>()
    for (const part of SCRIPT_PARTS) {
      const imports = [...sourceOf(part).matchAll(/^import (?!type )[^']*'([^']*)'$/gm)]
      for (const [, from = ''] of imports)
        assert.ok(
          seen.has(from.startsWith('@') ? from : posix.join(posix.dirname(part), from)),
          `${part} imports ${from}`,
        )
      seen.add(part)
    }
  })

  it('declares each name once, since its parts share one scope', () => {
    const names = SCRIPT_PARTS.flatMap((part) =>
      [...sourceOf(part).matchAll(/^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm)].map(
        ([, name]) => name,
      ),
    )
    assert.ok(names.length > SCRIPT_PARTS.length)
    const twice = names.filter((name, index) => names.indexOf(name) !== index)
    assert.deepEqual(twice, [])
  })

  it('is left without imports, types and comments', () => {
    assert.doesNotMatch(script, /^(?:import|export|interface|type) /m)
    assert.doesNotMatch(script, /^\s*(?:\/\/|\/\*)/m)
  })

  it('writes no HTML, evaluates nothing, loads nothing, and keeps nothing', () => {
    const forbidden =
      /innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\.write|createContextualFragment|DOMParser|\beval\b|\bFunction\b|\bimport\b|createElement|\.src\b|\.style\b|style=|setAttribute\('(?:style|on|src|href)|localStorage|sessionStorage|document\.cookie|sendBeacon|console\./
    assert.doesNotMatch(script, forbidden)
  })

  it('says nothing of its own: what people read, the page has given it', () => {
    const texts = [...script.matchAll(/'([^'\n]*)'/g)].map(([, text = '']) => text)
    assert.deepEqual(
      texts.filter((text) => /^[A-Z][a-z]+ \w|[a-z] [a-z]+ [a-z]/.test(text)),
      [],
    )
  })
})

describe('the stylesheet', () => {
  it('is made of every file in its folder', () => {
    const files = readdirSync(new URL('styles/', FOLDER)).map((file) => `styles/${file}`)
    assert.deepEqual([...STYLESHEET_PARTS].sort(), files.sort())
  })

  it('loads nothing', () => {
    assert.doesNotMatch(stylesheet, /url\(|@import|@font-face|expression\(|\/\*/)
  })

  it('knows no left and no right', () => {
    assert.doesNotMatch(
      stylesheet,
      /(?:^|[\s;{-])(?:left|right|margin-(?:left|right)|padding-(?:left|right)|border-(?:left|right)|float)\s*:|text-align:\s*(?:left|right)/,
    )
  })

  it('closes what it opens', () => {
    assert.equal(stylesheet.split('{').length, stylesheet.split('}').length)
  })

  it('says the same of the dark theme whether the customer or the page asks for it', () => {
    const [chosen, asked] = [
      /:root\[data-theme="dark"\] \{([^}]*)\}/,
      /:root:not\(\[data-theme="light"\]\) \{([^}]*)\}/,
    ].map((block) => block.exec(stylesheet)?.[1]?.replace(/\s+/g, ' '))
    assert.ok(chosen !== undefined)
    assert.equal(chosen, asked)
  })
})
