/**
 * The names of this repository, read from its TypeScript.
 *
 *     for (const file of readSources(['src'])) for (const { name, line } of identifiersOf(file)) …
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'

/** Folders with TypeScript. AssemblyScript is left out, because its names are those of codecs. */
export const FOLDERS = ['src', 'test', 'tools', 'scripts', 'demo', 'examples', 'packages']
const ASSEMBLYSCRIPT = /^src\/photos\/codec\/|^packages\/photo-codec\/src\/assembly\//

export interface Source {
  path: string
  tree: ts.SourceFile
}

export interface Name {
  name: string
  line: number
}

/** The TypeScript files in `folders`, including uncommitted ones. */
export function readSources(folders: readonly string[] = FOLDERS): Source[] {
  const present = folders.filter((folder) => existsSync(folder))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...present], {
    encoding: 'utf8',
  })
  return listed
    .split('\n')
    .filter((path) => path.endsWith('.ts') && !ASSEMBLYSCRIPT.test(path) && existsSync(path))
    .map((path) => ({
      path,
      tree: ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
    }))
}

/** The names that a file declares: variables, functions, types, parameters, members and keys. */
export function identifiersOf({ tree }: Source): Name[] {
  const found: Name[] = []
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) && isDeclared(node)) found.push({ name: node.text, line: lineOf(tree, node) })
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** The comments of a file, each with its first line. */
export function commentsOf({ tree }: Source): { text: string; line: number }[] {
  const ranges = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node) => {
    const leading = ts.getLeadingCommentRanges(tree.text, node.getFullStart()) ?? []
    const trailing = ts.getTrailingCommentRanges(tree.text, node.getEnd()) ?? []
    for (const range of [...leading, ...trailing]) ranges.set(range.pos, range)
    node.getChildren(tree).forEach(visit)
  }
  visit(tree)
  return [...ranges.values()].map(({ pos, end }) => ({
    text: tree.text.slice(pos, end).replace(/\s+\*?\s*/g, ' '),
    line: tree.getLineAndCharacterOfPosition(pos).line + 1,
  }))
}

/** The words of a name: `readHTTPBody_2` → `read`, `http`, `body`, `2`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4')
    .toLowerCase()
    .split(/[_$#]+/)
    .filter(Boolean)
}

/** Whether the identifier is the name in a declaration. */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node
  const isNamed =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isTypeParameterDeclaration(parent) ||
    ts.isFunctionLike(parent) ||
    ts.isClassLike(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isNamespaceImport(parent)
  return isNamed && (parent as ts.NamedDeclaration).name === node
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
}
