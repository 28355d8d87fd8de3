import { type Asset, toAsset } from '@tollgate/page-server'
import { buildScript, buildStylesheet } from './bundle.ts'

/** All that a screen loads. */
export interface Assets {
  readonly stylesheet: Asset
  readonly script: Asset
}

/** Builds the assets; takes a while, so once at the start. */
export const buildAssets = (): Assets => ({
  stylesheet: toAsset({ name: 'console', extension: 'css', text: buildStylesheet() }),
  script: toAsset({ name: 'console', extension: 'js', text: buildScript() }),
})
