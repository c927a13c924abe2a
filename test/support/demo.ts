/** The demo agency for tests in workerd, which read no files. */
import { type DemoLine, type DemoSize, linesIn, resize } from '../../demo/lines.ts'
import { importRecords } from './api.ts'

const FILES = import.meta.glob('../../demo/records/*.ndjson', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Every line of the demo; referenced records come first. */
export function demoLines(size: DemoSize = {}): DemoLine[] {
  return resize(
    linesIn(
      Object.keys(FILES)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map((name) => FILES[name] ?? ''),
    ),
    size,
  )
}

/** Imports the demo. */
export function importDemo(size: DemoSize = {}): Promise<void> {
  return importRecords(demoLines(size).map(({ entity, data }) => [entity, data]))
}
