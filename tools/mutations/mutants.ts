/** Small faults that a test must find: a rule that never refuses, a filter that keeps everything, a reversed comparison. */
import ts from 'typescript'

/** One fault: `before` at `start` becomes `after`. */
export interface Mutant {
  line: number
  start: number
  before: string
  after: string
}

/** Operators, and those that they are confused with. */
const OPERATORS = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
])

/** Words of SQL in templates, functions of drizzle, and literals, with what they are confused with. */
const WORDS = new Map([
  ['eq', 'ne'],
  ['gte', 'gt'],
  ['lte', 'lt'],
  ['asc', 'desc'],
  ['desc', 'asc'],
])
const SQL: [from: RegExp, to: string][] = [
  [/ >= /, ' > '],
  [/ <= /, ' < '],
  [/ = (?=$|\$)/, ' <> '],
  [/\bdesc\b/, 'asc'],
  [/\bis null\b/, 'is not null'],
  [/\bnot exists\b/, 'exists'],
]
const LITERALS = new Map([
  ['read', 'write'],
  ['write', 'read'],
  ['get', 'post'],
])

/** All faults of a source in TypeScript. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Mutant[] = []
  const add = (start: number, end: number, after: string) =>
    found.push({
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      start,
      before: text.slice(start, end),
      after,
    })
  const replace = (node: ts.Node, after: string) => add(node.getStart(), node.getEnd(), after)

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isIfStatement(node)) replace(node.expression, `false && (${node.expression.getText()})`)
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS.get(node.operatorToken.kind)
      if (other) replace(node.operatorToken, other)
    }
    if (ts.isCallExpression(node)) {
      const other = WORDS.get(node.expression.getText())
      if (other) replace(node.expression, other)
    }
    if (ts.isPropertyAssignment(node) && isCondition(node)) replace(node.initializer, '() => undefined')
    if (ts.isStringLiteral(node) && !ts.isLiteralTypeNode(node.parent)) {
      const other = LITERALS.get(node.text)
      if (other) replace(node, `'${other}'`)
    }
    if (
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    )
      for (const [from, to] of SQL) {
        const match = from.exec(node.getText())
        if (match) add(node.getStart() + match.index, node.getStart() + match.index + match[0].length, to)
      }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether it is the condition of a filter: `store_id: (id) => eq(offers.store_id, id)`. */
function isCondition(node: ts.PropertyAssignment): boolean {
  return (
    ts.isArrowFunction(node.initializer) &&
    ts.isSatisfiesExpression(node.parent.parent) &&
    node.parent.parent.type.getText().startsWith('Conditions')
  )
}
