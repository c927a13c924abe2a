/** Small faults that a test must find: a rule that never refuses, a filter that keeps everything, a reversed comparison. */
import ts from 'typescript'

/** One fault: `before` at `start` becomes `after`. */
export interface Mutant {
  kind: string
  line: number
  start: number
  before: string
  after: string
  /** The expression that it changes, from `start` to `end`. */
  within: { start: number; end: number }
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

/** Words of SQL in templates, functions, and literals, with what they are confused with. */
const WORDS = new Map([
  ['eq', 'ne'],
  ['gte', 'gt'],
  ['lte', 'lt'],
  ['asc', 'desc'],
  ['desc', 'asc'],
  ['Math.min', 'Math.max'],
  ['Math.max', 'Math.min'],
])
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
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
  const add = (kind: string, within: ts.Node, start: number, end: number, after: string) =>
    found.push({
      kind,
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      start,
      before: text.slice(start, end),
      after,
      within: { start: within.getStart(), end: within.getEnd() },
    })
  const replace = (kind: string, node: ts.Node, after: string, within = node) =>
    add(kind, within, node.getStart(), node.getEnd(), after)

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isIfStatement(node)) replace('if', node.expression, `false && (${node.expression.getText()})`)
    if (ts.isConditionalExpression(node))
      replace('choice', node.condition, `false && (${node.condition.getText()})`)
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      replace('not', node, node.operand.getText())
    if (ts.isExpressionStatement(node) && isCall(node.expression))
      replace('call', node.expression, 'undefined')
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS.get(node.operatorToken.kind)
      if (other) replace('operator', node.operatorToken, other, node)
    }
    if (ts.isCallExpression(node)) {
      const called = node.expression
      const word = WORDS.get(called.getText())
      if (word) replace('function', called, word)
      const method = ts.isPropertyAccessExpression(called) ? METHODS.get(called.name.text) : undefined
      if (method && ts.isPropertyAccessExpression(called)) replace('function', called.name, method, node)
    }
    if (ts.isPropertyAssignment(node) && isCondition(node))
      replace('filter', node.initializer, '() => undefined')
    if (ts.isStringLiteral(node) && !(ts.isPropertyAssignment(node.parent) && node.parent.name === node)) {
      const other = LITERALS.get(node.text)
      if (other) replace('literal', node, `'${other}'`)
    }
    if (
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    )
      for (const [from, to] of SQL) {
        const match = from.exec(node.getText())
        if (!match) continue
        const start = node.getStart() + match.index
        add('sql', templateOf(node), start, start + match[0].length, to)
      }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The whole template that `part` belongs to, with its tag. */
function templateOf(part: ts.Node): ts.Node {
  const { parent } = part
  if (ts.isTaggedTemplateExpression(parent)) return parent
  if (ts.isTemplateExpression(parent) || ts.isTemplateSpan(parent)) return templateOf(parent)
  return part.kind === ts.SyntaxKind.TemplateHead ? parent : part
}

function isCall(node: ts.Expression): boolean {
  return ts.isAwaitExpression(node) ? isCall(node.expression) : ts.isCallExpression(node)
}

/** Whether it is the condition of a filter: `store_id: (id) => eq(offers.store_id, id)`. */
function isCondition(node: ts.PropertyAssignment): boolean {
  return (
    ts.isArrowFunction(node.initializer) &&
    ts.isSatisfiesExpression(node.parent.parent) &&
    node.parent.parent.type.getText().startsWith('Conditions')
  )
}
