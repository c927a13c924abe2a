import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { importFieldsPage } from '../../scripts/build/import-fields.ts'
import { ENTITIES } from '../../src/admin/transfer/entities.ts'

it('the guide to the fields of an import has every field of every entity, and is built', async () => {
  const page = importFieldsPage(ENTITIES)
  for (const { name, schema } of ENTITIES) {
    expect(page).toContain(`\n## ${name}\n`)
    for (const field of Object.keys(schema.shape)) expect(page).toContain(`\`${field}\``)
  }
  expect(await readFile('docs/import-fields.md', 'utf8')).toBe(page)
})

it('says of each field what it is', () => {
  const rows = importFieldsPage(ENTITIES)
    .split('\n')
    .filter((line) => /^\| (\*\*)?`/.test(line))
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.filter((row) => row.endsWith('|  |') || row.includes('| anything |'))).toEqual([])
})
