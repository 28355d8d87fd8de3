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

/** A text that stands in a source file. What a template puts in is there as far as the file says what it is, and else a NUL. */
export type Literal = { readonly text: string; readonly line: number }

/** What a template puts in, where the file alone does not say it. */
export const HOLE = '\0'

/** Every string and template in a TypeScript text, each once on its own; constants of the file are put in where templates name them. */
export function literalsIn(path: string, text: string): Literal[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const constants = new Map<string, ts.Expression>()
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      constants.set(node.name.text, node.initializer)
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  const textOf = (node: ts.Expression, above: readonly ts.Expression[]): string => {
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isTemplateExpression(node) && !above.includes(node))
      return (
        node.head.text +
        node.templateSpans
          .map((span) => textOf(span.expression, [...above, node]) + span.literal.text)
          .join('')
      )
    const constant = ts.isIdentifier(node) ? constants.get(node.text) : undefined
    return constant === undefined ? HOLE : textOf(constant, above)
  }
  return found.map((node) => ({
    text: textOf(node, []),
    line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
  }))
}
