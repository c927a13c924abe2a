/** Bundles scripts of pages into `public/`, unless that is done. File names never change, so browsers revalidate them. */
import { glob, stat } from 'node:fs/promises'
import { type BuildOptions, build } from 'esbuild'

/** Options of every bundle: browsers of the last three years, without comments of libraries. */
const OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  target: ['es2022', 'safari16'],
  legalComments: 'none',
  // Greek as it is: escaped, it takes three times as much.
  charset: 'utf8',
  logLevel: 'warning',
}

/**
 * Makes `targets` if one of `sources`, which are patterns of files, is newer than they are.
 * @returns whether they were made
 */
export async function bundle(
  sources: readonly string[],
  targets: readonly string[],
  options: BuildOptions,
): Promise<boolean> {
  const files = ['package-lock.json', 'scripts/build/bundle.ts']
  for await (const source of glob([...sources])) files.push(source)
  const [made, changed] = await Promise.all([targets, files].map((paths) => Promise.all(paths.map(age))))
  if (Math.min(...(made ?? [])) > Math.max(...(changed ?? []))) return false
  await build({ ...OPTIONS, ...options })
  return true
}

/** Time of the last change in ms; 0 if the file does not exist. */
async function age(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.mtimeMs ?? 0
}
