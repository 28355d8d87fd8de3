import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { testBrowser } from '@tollgate/testkit/browser'
import { startGateway } from '../acceptance/support/gateway.ts'
import { CHAPTERS, prepareScenes, SCENES } from '../acceptance/support/screens.ts'
import { play, reload, type Scene, speakerOf, type Tab } from '../acceptance/support/screens-scene.ts'
import { galleryPage } from './screens/page.ts'
import { withPalette } from './screens/png.ts'
import { EVERY, ORDINARY, pictureOf, VARIANTS, type Variant } from './screens/variants.ts'

// `npm run screens` starts a sandbox with its payment page, brings a browser to every screen, and writes pictures of them
// into docs/screens/. `npm run screens -- paid failed` takes those alone; `--every <folder>` takes them in every way, into
// another folder, to be compared.

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string' } },
})
const GALLERY = resolve(import.meta.dirname, '../docs/screens')
const folder = values.every === undefined ? GALLERY : resolve(values.every)
const HEIGHT = 720
/** The sum of all pictures of the gallery. */
const BYTES_MAX = 2.5 * 1024 * 1024
let bytes = 0

const endings: (() => unknown)[] = []
const life = { after: (end: () => unknown): void => void endings.unshift(end) }
const scenes = SCENES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

try {
  const gateway = await startGateway(life, { checkout: true, simulator: true, embedded: true })
  const { page: tab } = await (await testBrowser(life)).open()
  const speak = await speakerOf(tab)
  mkdirSync(folder, { recursive: true })
  if (folder === GALLERY && wanted.length === 0) clear()
  for (const { scene, url } of await prepareScenes(life, { gateway, tab, scenes })) {
    const [first, ...others] = variantsOf(scene)
    await speak(first.language)
    await show(tab, first)
    await play(scene, tab, url)
    take(scene, first, await shot(tab, first))
    for (const variant of others) {
      await speak(variant.language)
      await show(tab, variant)
      await reload(scene, tab)
      take(scene, variant, await shot(tab, variant))
    }
    await scene.tidy?.(tab)
    process.stdout.write(`${scene.name}\n`)
  }
  if (folder === GALLERY) writeFileSync(join(folder, 'README.md'), galleryPage(CHAPTERS))
} finally {
  for (const end of endings) await end()
}

/** The first is as the scene is played; the others are shown by loading it again. */
function variantsOf({ name }: Scene): readonly [Variant, ...Variant[]] {
  if (folder !== GALLERY) return [{ ...ORDINARY, id: `${ORDINARY.width}-en` }, ...EVERY.slice(1)]
  return [ORDINARY, ...VARIANTS.filter(({ scenes: names }) => names.includes(name))]
}

async function show(tab: Tab, { width, colorScheme }: Variant): Promise<void> {
  await tab.setViewportSize({ width, height: HEIGHT })
  await tab.emulateMedia({ colorScheme })
}

/** The whole page, and what lies over the page as it lies there. */
async function shot(tab: Tab, { width }: Variant): Promise<Buffer> {
  const isCovered = (await tab.locator(':popover-open').count()) > 0
  if (isCovered) return tab.screenshot()
  const height: number = await tab.evaluate('document.body.getBoundingClientRect().height')
  return tab.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height: Math.ceil(height) } })
}

function take({ name }: Scene, variant: Variant, png: Buffer): void {
  const small = withPalette(png)
  bytes += small.length
  if (folder === GALLERY && bytes > BYTES_MAX)
    throw new Error(`the pictures have more than ${BYTES_MAX} bytes`)
  writeFileSync(join(folder, pictureOf(name, variant)), small)
}

function clear(): void {
  for (const name of readdirSync(folder)) if (name.endsWith('.png')) rmSync(join(folder, name))
}
