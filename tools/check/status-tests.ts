import { callsIn, literalText } from './syntax.ts'
import type { Finding, Tree } from './tree.ts'
import { isRecord } from './values.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']
const TITLE = /\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\/\S*) → (\d{3})\b/g
/** A test that goes through every operation below a path, as the document lists them. */
const ANY_TITLE = /\bANY (\/\S*\/)\*\* → (\d{3})\b/g
const ALMOST_A_TITLE = /\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+ → /
const TEST_CALLEE = /^(?:\w+[.])*(?:test|it|describe|suite)$/

/** `METHOD path → status` for every answer the document names; `default` and ranges name none. */
export function documentedAnswers(document: unknown): string[] {
  const paths = isRecord(document) && isRecord(document['paths']) ? document['paths'] : {}
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = isRecord(item) ? item[method] : undefined
      const responses = isRecord(operation) && isRecord(operation['responses']) ? operation['responses'] : {}
      const statuses = Object.keys(responses).filter((status) => /^\d{3}$/.test(status))
      return statuses.map((status) => `${method.toUpperCase()} ${path} → ${status}`)
    }),
  )
}

type Title = { path: string; line: number; text: string }

function titlesIn(tree: Tree): Title[] {
  const files = tree.files.filter((path) => /^acceptance\/.*[.]test[.]ts$/.test(path))
  return files.flatMap((path) =>
    callsIn(path, tree.read(path))
      .filter(({ callee }) => TEST_CALLEE.test(callee))
      .map(({ args, line }) => ({ path, line, text: literalText(args[0]) ?? '' })),
  )
}

/** The description of one of our APIs, with the file that it is in. */
export type ApiDocument = { readonly path: string; readonly document: unknown }

/** Each answer the documents promise is seen by a stranger's test, and no test tells of an answer that none has. */
export function findStatusGaps(tree: Tree, documents: readonly ApiDocument[]): Finding[] {
  const documented = new Map(
    documents.flatMap(({ path, document }) => documentedAnswers(document).map((answer) => [answer, path])),
  )
  const files = documents.map(({ path }) => path).join(' or ')
  const tested = new Set<string>()
  const ofAll: { readonly below: string; readonly status: string }[] = []
  const isOfAll = (answer: string): boolean =>
    ofAll.some(({ below, status }) => answer.includes(` ${below}`) && answer.endsWith(` → ${status}`))
  const findings: Finding[] = []
  for (const { path, line, text } of titlesIn(tree)) {
    for (const [, below = '', status = ''] of text.matchAll(ANY_TITLE)) ofAll.push({ below, status })
    const answers = [...text.matchAll(TITLE)].map(([answer]) => answer)
    if (answers.length === 0 && ALMOST_A_TITLE.test(text)) {
      findings.push({
        path,
        line,
        message: 'This title is computed. Write method, path and status out: they are read as they stand.',
      })
    }
    for (const answer of answers) {
      tested.add(answer)
      if (documented.has(answer)) continue
      findings.push({
        path,
        line,
        message: `"${answer}" is not in ${files}. Add it to the route's responses, or mend the title.`,
      })
    }
  }
  const untested = [...documented].filter(([answer]) => !tested.has(answer) && !isOfAll(answer))
  const gaps = untested.map(([answer, path]) => ({
    path,
    message: `No acceptance test is titled "${answer} …". Write it.`,
  }))
  return [...findings, ...gaps]
}
