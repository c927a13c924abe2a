// @module-tag slow
/** A CSV file from its draft to the stored records, by `npm run import`. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AgencyService, askAgency, startAgency } from '../../tools/runtime/agency.ts'
import { run } from '../../tools/runtime/run.ts'
import { temporaryFolder } from './temporary.ts'

const folder = temporaryFolder()
let server: AgencyService

beforeAll(async () => {
  server = await startAgency(null, 0)
}, 120_000)

afterAll(() => server?.stop())

const script = (name: string, parameters: string[], env = {}) =>
  run(`scripts/${name}.ts`, [...parameters, '--url', server.url.origin], undefined, env)

it('A CSV file is drafted, refused as long as its map is open, and imported as it reads', async () => {
  for (const name of ['agency', 'places-of-greece'])
    expect((await script('import', [`examples/data/${name}.ndjson`])).code).toBe(0)
  const { output } = await script('keys', ['create', '--name', 'test', '--scope', '*:read'])
  const [KEY = ''] = /^estia_\w+/.exec(output) ?? []
  const path = '/api/listings?sort=id&fields=id,code,price,size,floor,translations,location,photos'
  const stored = async () => (await askAgency(server, 'GET', path)).data
  const file = join(folder, 'listings.csv')
  await writeFile(
    file,
    'Κωδικός;Τύπος;Διάθεση;Τιμή;Εμβαδόν;Όροφος;Δήμος;Τίτλος;Φωτο 1\r\n' +
      'A-17;Διαμέρισμα;Πώληση;320.000;160,5;Ισόγειο;ΚΗΦΙΣΙΑ;"Δύο\r\nγραμμές";https://old.example/1.jpg\r\n' +
      ';;;;;;;;\r\n' +
      'A-18;Μονοκατοικία;Ενοικίαση;;1.234,56;2;Kifisia;Κήπος;\r\n' +
      'Σύνολο;;;320.000;;;;;\r\n',
  )
  const draft = await script('import', [file], { KEY })
  expect([draft.code, draft.output]).toEqual([0, ''])
  expect(draft.errors).toContain('\n  not imported: lines 6\n')
  expect(draft.errors).toContain('line 2, column "Όροφος": "Ισόγειο" is not a number: say what it is')
  expect(draft.errors).toContain('Nothing is imported.')
  const mapFile = `${file}.map.json`
  const map = JSON.parse(await readFile(mapFile, 'utf8'))
  expect(map.columns[6].values).toEqual({ ΚΗΦΙΣΙΑ: [9, 913], Kifisia: [9, 913] })
  expect((await script('import', [file])).errors).toContain('is there already')

  const open = await script('import', [file, '--map', mapFile])
  expect([open.code, open.errors.split('\n')[0]]).toEqual([1, 'Nothing is sent.'])
  expect(await stored()).toEqual([])

  map.columns[5].values = { Ισόγειο: 0 }
  map.first_id = 71
  // As Notepad saves it.
  await writeFile(mapFile, `\uFEFF${JSON.stringify(map)}`)
  const done = await script('import', [file, '--map', mapFile])
  expect([done.code, done.output + done.errors]).toEqual([
    0,
    expect.stringContaining('2 accepted, 0 rejected'),
  ])
  expect(await stored()).toMatchObject([
    {
      ...{
        id: 71,
        code: 'A-17',
        price: 320_000,
        size: 160.5,
        floor: 0,
        translations: [{ title: 'Δύο\nγραμμές' }],
      },
      location: { area_level1: { id: 9 }, area_level2: { id: 913 } },
      photos: [{ original_image: 'https://old.example/1.jpg' }],
    },
    { id: 72, code: 'A-18', price: null, size: 1234.56, floor: 2, location: { area_level2: { id: 913 } } },
  ])
})

it('What is no CSV file is refused with what to do', async () => {
  const sheet = join(folder, 'listings.xlsx')
  await copyFile('package.json', sheet)
  expect((await script('import', [sheet])).errors).toContain('is a spreadsheet: save it as CSV first.')
  const lines = await script('import', ['examples/data/agency.ndjson', '--map', 'x'])
  expect([lines.code, lines.errors]).toEqual([2, expect.stringContaining('--map is for CSV and TSV files.')])
})
