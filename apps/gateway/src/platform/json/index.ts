export type { JsonObject, JsonValue } from './document.ts'
export { minifyJson } from './minify.ts'
export { NumberText } from './number-text.ts'
export { parseJson } from './parse.ts'
