/**
 * Builds the typed client: one JavaScript file without dependencies, types derived from the OpenAPI document, and the
 * files that make the folder a package.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import openapiTypescript, { astToString, type OpenAPI3, type OperationObject } from 'openapi-typescript'
import ts from 'typescript'
import { needsKey } from '../../src/http/areas.ts'
import { openApiDocument } from './document.ts'

const SOURCE = 'src/client/index.ts'
/** The call of visitors, in the operation of a path. */
const VISITORS = 'x-visitors'

/**
 * Writes the client into `folder`, replacing its content.
 * @param version of the package; by default that of the contract
 */
export async function buildClient(folder = 'dist/client', version?: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  emitTypes(folder)
  await Promise.all([
    emitJavaScript(folder),
    openApiDocument().then(async (document) => writeFile(join(folder, 'api.d.ts'), await apiTypes(document))),
    writePackage(folder, version),
  ])
}

/** Writes the types of the calls of `/admin`, which the console makes; they are no part of the package. */
export async function buildAdminTypes(file = 'dist/admin.d.ts'): Promise<void> {
  const api = JSON.parse(await openApiDocument()) as OpenAPI3
  const paths = Object.fromEntries(
    Object.entries(api.paths ?? {}).filter(([path]) => path.startsWith('/admin/')),
  )
  await writeFile(file, astToString(await openapiTypescript({ ...api, paths })))
}

/** The types of the calls that need an API key. */
async function apiTypes(document: string): Promise<string> {
  const api = JSON.parse(document) as OpenAPI3
  const paths = Object.fromEntries(Object.entries(api.paths ?? {}).filter(([path]) => needsKey(path)))
  const types = await openapiTypescript({ ...api, paths })
  const visitors = pathsOf(await openapiTypescript({ ...api, paths: visitorPathsOf(paths) }))
  return astToString([...types, visitors].map(allowUndefined))
}

/** The calls of visitors, which the document describes in operations that other keys share. */
function visitorPathsOf(paths: NonNullable<OpenAPI3['paths']>): NonNullable<OpenAPI3['paths']> {
  const calls = Object.entries(paths).flatMap(([path, item]) => {
    const operations = Object.entries(item as Record<string, { [VISITORS]?: OperationObject }>)
    const visits = operations.flatMap(([method, { [VISITORS]: call }]) => (call ? [[method, call]] : []))
    return visits.length > 0 ? [[path, Object.fromEntries(visits)]] : []
  })
  return Object.fromEntries(calls)
}

/** The interface of paths among generated types, renamed to `visitorPaths`. It uses the components of the others. */
function pathsOf(types: ts.Node[]): ts.Node {
  const { factory } = ts
  const paths = types.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'paths')
  if (!paths || !ts.isInterfaceDeclaration(paths)) throw new Error('openapi-typescript has made no paths')
  const { modifiers, typeParameters, heritageClauses, members } = paths
  const name = factory.createIdentifier('visitorPaths')
  return factory.updateInterfaceDeclaration(paths, modifiers, name, typeParameters, heritageClauses, members)
}

/** Lets optional properties be undefined, which projects with `exactOptionalPropertyTypes` would otherwise refuse. */
function allowUndefined<Node extends ts.Node>(root: Node): Node {
  const { factory } = ts
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, undefined)
    if (!ts.isPropertySignature(visited) || !visited.questionToken || !visited.type) return visited
    const type = factory.createUnionTypeNode([
      visited.type,
      factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword),
    ])
    return factory.updatePropertySignature(
      visited,
      visited.modifiers,
      visited.name,
      visited.questionToken,
      type,
    )
  }
  return ts.visitNode(root, visit) as Node
}

/** Bundles one file for every platform, with openapi-fetch and its licence. */
async function emitJavaScript(folder: string): Promise<void> {
  const licence = await readFile('node_modules/openapi-fetch/LICENSE', 'utf8')
  await build({
    entryPoints: [SOURCE],
    outfile: join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    banner: { js: `/*! Contains openapi-fetch.\n${licence.trim()}\n*/` },
    logLevel: 'error',
  })
}

/** Emits the declarations of the client's source; `apiTypes` replaces those of `api.ts`. */
function emitTypes(folder: string): void {
  const program = ts.createProgram([SOURCE], {
    declaration: true,
    emitDeclarationOnly: true,
    outDir: folder,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  })
  const { diagnostics } = program.emit()
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
  if (problems.length > 0) {
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => process.cwd(),
        getNewLine: () => '\n',
      }),
    )
  }
}

async function writePackage(folder: string, version: string | undefined): Promise<void> {
  const { name, license, engines, ...whole } = JSON.parse(await readFile('package.json', 'utf8'))
  const own = {
    name,
    version: version ?? whole.version,
    description: 'Typed client of the Estia API',
    license,
    type: 'module',
    engines,
    sideEffects: false,
    exports: { './client': { types: './index.d.ts', default: './index.js' } },
  }
  await Promise.all([
    writeFile(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`),
    copyFile('LICENSE', join(folder, 'LICENSE')),
    copyFile('docs/client.md', join(folder, 'README.md')),
  ])
}
