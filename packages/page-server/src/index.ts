export { ASSETS_PATH, type Asset, sendAsset, toAsset } from './assets.ts'
export { createPageServer, isProbe, type Timeouts } from './http.ts'
export { runProgram } from './process.ts'
export { type ServerSettings, type SettingsReader, settingsOf } from './settings.ts'
