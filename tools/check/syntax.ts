import ts from 'typescript'

/** A call as it stands in a source file. */
export type Call = {
  /** What is called, without blanks: `test`, `t.skip`. */
  readonly callee: string
  readonly args: readonly ts.Expression[]
  /** Counted from 1. */
  readonly line: number
}

/** Every call in a TypeScript text, in the order of reading. Texts inside strings are not calls. */
export function callsIn(path: string, text: string): Call[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const calls: Call[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      calls.push({
        callee: node.expression.getText(source).replace(/\s+/g, ''),
        args: [...node.arguments],
        line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return calls
}

/** The text of a string or template; what a template computes is shown as `${}`. Undefined for anything else. */
export function literalText(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map((span) => `\${}${span.literal.text}`).join('')
}

/** True where an object literal among the arguments says `name: true`. */
export function saysTrue(args: readonly ts.Expression[], name: string): boolean {
  return args
    .filter(ts.isObjectLiteralExpression)
    .some((object) =>
      object.properties.some(
        (property) =>
          ts.isPropertyAssignment(property) &&
          property.name.getText() === name &&
          property.initializer.kind === ts.SyntaxKind.TrueKeyword,
      ),
    )
}
