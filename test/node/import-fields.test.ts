import { expect, it } from 'vitest'
import { importFieldsPage } from '../../scripts/build/import-fields.ts'
import { ENTITIES } from '../../src/admin/transfer/entities.ts'

it('the guide to the fields of an import is up to date; -u makes it anew', async () => {
  const page = importFieldsPage(ENTITIES)
  for (const { name, schema } of ENTITIES) {
    expect(page).toContain(`\n## ${name}\n`)
    for (const field of Object.keys(schema.shape)) expect(page).toContain(`\`${field}\``)
  }
  await expect(page).toMatchFileSnapshot('../../docs/import-fields.md')
})

it('says of each field what it is', () => {
  const rows = importFieldsPage(ENTITIES)
    .split('\n')
    .filter((line) => /^\| (\*\*)?`/.test(line))
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.filter((row) => row.endsWith('|  |') || row.includes('| anything |'))).toEqual([])
})
