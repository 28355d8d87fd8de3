import { type Call, callsIn, literalText, saysTrue } from './syntax.ts'
import type { Finding, Tree } from './tree.ts'

const TEST = /^(?:\w+[.])*(?:test|it|describe|suite)(?:[.](?:only|skip|todo))?$/
const ONLY = /^(?:test|it|describe|suite|t|context)[.]only$/
const SKIPPED_BY_NAME = /^(?:test|it|describe|suite)[.]skip$/
const SKIPPED_INSIDE = /^(?:t|context|ctx)[.]skip$/

function judge({ callee, args }: Call): string | undefined {
  if (ONLY.test(callee) || (TEST.test(callee) && saysTrue(args, 'only'))) {
    return 'This test silences its neighbours. Remove `only`.'
  }
  if (SKIPPED_BY_NAME.test(callee) || (TEST.test(callee) && saysTrue(args, 'skip'))) {
    return "A test is skipped for a reason: say it, as in { skip: 'no IPv6 on this machine' }."
  }
  if (SKIPPED_INSIDE.test(callee) && (literalText(args[0]) ?? '').trim() === '') {
    return "A test is skipped for a reason: say it, as in t.skip('no IPv6 on this machine')."
  }
  return undefined
}

/** A test that does not run says why. */
export function findSilencedTests(tree: Tree): Finding[] {
  return tree.files
    .filter((path) => path.endsWith('.test.ts'))
    .flatMap((path) =>
      callsIn(path, tree.read(path)).flatMap((call) => {
        const message = judge(call)
        return message === undefined ? [] : [{ path, line: call.line, message }]
      }),
    )
}
