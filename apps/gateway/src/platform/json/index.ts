export { type JsonObject, type JsonValue, NumberText } from './document.ts'
export { minifyJson } from './minify.ts'
export { parseJson } from './parse.ts'
