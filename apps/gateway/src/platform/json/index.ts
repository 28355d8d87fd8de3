export { minifyJson } from './minify.ts'
export { type JsonObject, type JsonValue, NumberText, parseJson } from './parse.ts'
