import { type Asset, toAsset } from '@tollgate/page-server'
import { createBoundedMap } from '@tollgate/runtime'
import { brandStylesheet } from '../branding.ts'
import { buildScript, buildStylesheet } from './bundle.ts'

/** All that a screen loads. */
export interface Assets {
  readonly stylesheet: Asset
  readonly script: Asset
  /** The stylesheet in a merchant's colour, which has six hex digits: still one file, and one request. */
  stylesheetIn(colour: string): Asset
}

/** One line of the list of all that runs in a customer's browser. */
interface InventoryRow {
  readonly path: string
  readonly integrity: string
  readonly purpose: string
}

/** Builds the assets; takes a while, so once at the start. Where there are several cells, their paths begin with the letter of this one. */
export function assets(cell?: string): Assets {
  const text = buildStylesheet()
  const name = cell === undefined ? 'checkout' : `${cell}-checkout`
  return {
    stylesheet: toAsset({ name, extension: 'css', text }),
    script: toAsset({ name, extension: 'js', text: buildScript() }),
    stylesheetIn: remembered((colour) =>
      toAsset({
        name: `${name}-${colour}`,
        extension: 'css',
        text: text + brandStylesheet(colour),
        brotliQuality: BROTLI_QUALITY_QUICK,
      }),
    ),
  }
}

const COLOURS_MAX = 200
/** A customer waits for the first page in a new colour. */
const BROTLI_QUALITY_QUICK = 5

function remembered(make: (colour: string) => Asset): (colour: string) => Asset {
  const known = createBoundedMap<string, Asset>(COLOURS_MAX)
  return (colour) => {
    const before = known.get(colour)
    if (before !== undefined) return before
    const asset = make(colour)
    known.set(colour, asset)
    return asset
  }
}

/** What runs or applies in the browser, with its hash and why it is there. Nothing else may. */
export function inventoryOf({
  stylesheet,
  script,
}: Pick<Assets, 'stylesheet' | 'script'>): readonly InventoryRow[] {
  return [
    { path: stylesheet.path, integrity: stylesheet.integrity, purpose: 'How every screen looks.' },
    {
      path: script.path,
      integrity: script.integrity,
      purpose:
        'Comfort: searching banks, checking an IBAN while it is typed, copying, the time left, following the payment.',
    },
  ]
}
