import ts from 'typescript'

// The records of the SDK are types of packages/contract, which is made of schemas. Who installs the SDK gets them written out.

const FORMAT =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals |
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType

/**
 * A module of types as a declaration file that needs no other package: what is computed from schemas is written out, and so is
 * `Open`, which comes from there; all else stays, with its comments.
 */
export function selfContained(program: ts.Program, file: string): string {
  const source = program.getSourceFile(file)
  if (source === undefined) throw new Error(`${file} is not part of the program`)
  const checker = program.getTypeChecker()
  const imported = new Set(source.statements.filter(ts.isImportDeclaration).flatMap(namesOf))
  const parts = source.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) return []
    if (ts.isExportDeclaration(statement)) return [reexported(checker, statement)]
    const text = statement.getFullText(source).trim()
    if (!ts.isTypeAliasDeclaration(statement) || !mentions(statement.type, imported)) return [text]
    return [
      `${commentOf(statement, source)}export type ${statement.name.text} = ${written(checker, statement, source)}`,
    ]
  })
  return `${parts.join('\n\n')}\n`
}

/** What the type comes to, with all of its members. */
function written(checker: ts.TypeChecker, { name }: ts.TypeAliasDeclaration, source: ts.SourceFile): string {
  const node = checker.typeToTypeNode(checker.getTypeAtLocation(name), undefined, FORMAT)
  if (node === undefined) throw new Error(`${name.text} cannot be written out`)
  return ts.createPrinter().printNode(ts.EmitHint.Unspecified, node, source)
}

function namesOf({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings
  return bindings !== undefined && ts.isNamedImports(bindings)
    ? bindings.elements.map(({ name }) => name.text)
    : []
}

/** A type that is passed on as it is, declared here. */
function reexported(checker: ts.TypeChecker, { exportClause }: ts.ExportDeclaration): string {
  if (exportClause === undefined || !ts.isNamedExports(exportClause))
    throw new Error('only named types are passed on')
  return exportClause.elements
    .map(({ name }) => {
      const symbol = checker.getSymbolAtLocation(name)
      const original = symbol && checker.getAliasedSymbol(symbol)
      const declaration = original?.declarations?.[0]
      if (declaration === undefined) throw new Error(`${name.text} is declared nowhere`)
      return declaration.getFullText().trim()
    })
    .join('\n\n')
}

const mentions = (node: ts.Node, names: ReadonlySet<string>): boolean =>
  (ts.isIdentifier(node) && names.has(node.text)) ||
  (ts.forEachChild(node, (child) => mentions(child, names) || undefined) ?? false)

function commentOf(statement: ts.Statement, source: ts.SourceFile): string {
  const comment = statement
    .getFullText(source)
    .slice(0, statement.getStart(source) - statement.getFullStart())
    .trim()
  return comment === '' ? '' : `${comment}\n`
}
