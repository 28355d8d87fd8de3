export { JSON_LIMITS, type JsonLimits, type JsonObject, type JsonValue } from './document.ts'
export { minifyJson } from './minify.ts'
export { NumberText } from './number-text.ts'
export { type JsonOutcome, type JsonProblem, parseJson } from './parse.ts'
