import { type Asset, toAsset } from '@tollgate/page-server'
import { buildCellScript, buildScript, buildStylesheet } from './bundle.ts'

/** All that a screen loads. */
export interface Assets {
  readonly stylesheet: Asset
  readonly script: Asset
  /** Of the screens that ask all cells, beside the other one. */
  readonly cellScript: Asset
}

/** Builds the assets; takes a while, so once at the start. */
export const buildAssets = (): Assets => ({
  stylesheet: toAsset({ name: 'console', extension: 'css', text: buildStylesheet() }),
  script: toAsset({ name: 'console', extension: 'js', text: buildScript() }),
  cellScript: toAsset({ name: 'cells', extension: 'js', text: buildCellScript() }),
})
