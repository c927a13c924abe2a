/** CSV files of agencies: the lines that they make, and the listings that are stored. */
import { beforeEach, describe, expect, it } from 'vitest'
import { linesOf } from '../../../../src/admin/transfer/csv/lines.ts'
import { csvMap, draftMap } from '../../../../src/admin/transfer/csv/map.ts'
import { readTable } from '../../../../src/admin/transfer/csv/table.ts'
import { selectAll } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { emptyAndSeed } from '../../../support/storage.ts'
import { clean, importText } from '../../../support/transfer.ts'
import { FILES } from './files.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

/** What the drafted map of a file makes of it. */
function convert(bytes: Uint8Array, change: (map: ReturnType<typeof draftMap>) => void = () => undefined) {
  const { table, problems } = readTable(bytes)
  const map = draftMap(table, [], 1)
  change(map)
  // As it comes back from its file.
  const read = csvMap.parse(JSON.parse(JSON.stringify(map)))
  const again = readTable(bytes, read)
  expect(again).toEqual({ table, problems })
  const made = linesOf(again.table, read)
  return { lines: made.lines, problems: [...problems, ...made.problems], map: read, table }
}

/** Names what the table does not say. */
const ofLand = ({ every }: ReturnType<typeof draftMap>) =>
  Object.assign(every, { category: 'land', availability: 'sale' })

const photos = (...names: number[]) =>
  names.map((name) => ({ original_image: `https://old.example/${name}.jpg` }))
const every = {
  store_id: 1,
  created_by: 1,
  users: [1],
  language_id: 1,
  status: 'active',
  category: 'residential',
}
const first = {
  ...every,
  ...{ id: 71, code: 'A-17', subcategory: 'apartment', availability: 'sale', price: 320_000, size: 74.5 },
  ...{ location: { address: 'Σόλωνος 5' }, title: 'Φωτεινό', features: ['elevator'] },
  'the service': { available_from: '2026-03-12' },
  photos: photos(1, 2),
}
const second = {
  ...every,
  ...{ id: 72, code: 'A-18', subcategory: 'detached', availability: 'rent', price: 1200, size: 1140 },
  ...{ location: { address: 'Λεβίδου 12' }, title: 'Κήπος' },
}
const { price: _, ...unpriced } = second

/** How the records of a file differ from those of the others. */
const OTHERS: Record<string, [line: number, data: object][]> = {
  'quoted line breaks': [
    [2, { ...first, title: 'Φωτεινό;\nμε "θέα"' }],
    [4, second],
  ],
  'empty prices': [
    [2, first],
    [3, unpriced],
  ],
  'photos in one cell and several columns': [
    [2, { ...first, photos: photos(1, 2, 3) }],
    [3, second],
  ],
}

describe.each(Object.entries(FILES))('a file with %s', (name, bytes) => {
  const records = OTHERS[name] ?? [
    [2, first],
    [3, second],
  ]

  beforeEach(() => emptyAndSeed(seedAgency))

  it('makes its records, and import stores them', async () => {
    // Both readings of its only date are possible, and its headings are not Greek.
    const { lines, problems } = convert(bytes, ({ columns }) => {
      for (const column of columns) if (column.order === null) column.order = 'm/d/y'
    })
    expect(problems).toEqual([])
    expect(lines).toEqual(records.map(([line, data]) => ({ line, entity: 'listings', data })))
    const text = lines.map(({ entity, data }) => JSON.stringify({ entity, data })).join('\n')
    expect(await importText(text, { strict: 'true' })).toEqual(clean(2))
    const stored = await selectAll<object>(
      `select id, code, status, category, subcategory, availability, price, size, address_el,
        (select title from listing_translations where listing_id = listings.id) as title,
        (select json_group_array(original_image) from listing_photos where listing_id = listings.id) as photos
        from listings order by id`,
    )
    expect(stored).toEqual(
      records.map(([, data]) => {
        const { location, photos: pictures = [], ...values } = data as typeof first
        const { id, code, status, category, subcategory, availability, price = null, size, title } = values
        return {
          ...{ id, code, status, category, subcategory, availability, price, size },
          ...{ address_el: location.address, title },
          photos: JSON.stringify(pictures.map(({ original_image }) => original_image)),
        }
      }),
    )
  })
})

const orNamed = ': say what it is in "values" of the column in the map, or "" for nothing'

describe('what cannot be read', () => {
  const isTwice = 'can be read in two ways: set "decimal" of the column in the map to "," or "."'
  const isTotal = 'is it a total? Name its line in "skip_lines" of the map'

  it.each<[what: string, text: string, line: number, column: string | null, message: string]>([
    ['a text for a price', 'id;Τιμή\n1;φθηνό', 2, 'Τιμή', `"φθηνό" is not a number${orNamed}`],
    ['a size with two readings', 'id;Εμβαδόν\n1;1.234', 2, 'Εμβαδόν', `"1.234" ${isTwice}`],
    [
      'sizes of two decimal marks',
      'id;Εμβαδόν\n1;74,5\n2;74.5',
      ...([3, 'Εμβαδόν', '"74.5" does not fit the decimal mark "," of its column'] as const),
    ],
    [
      'a date of which nothing tells the order',
      'id;Available from\n1;1/2/2026',
      ...([
        2,
        'Available from',
        '"1/2/2026" is no date; "order" of the column in the map is d/m/y or m/d/y',
      ] as const),
    ],
    [
      'a kind without a name',
      'id;Τύπος\n1;Κάτι',
      ...([2, 'Τύπος', '"Κάτι" is not in "values" of the column in the map'] as const),
    ],
    [
      'neither yes nor no',
      'id;Ανελκυστήρας\n1;ίσως',
      ...([2, 'Ανελκυστήρας', `"ίσως" is neither yes nor no${orNamed}`] as const),
    ],
    ['a row without an id', 'id;Τιμή\n1;5\n;7', 3, 'id', `has no id: ${isTotal}`],
    ['an id twice', 'id;Τιμή\n1;5\n1;7', 3, 'id', 'has the id of line 2'],
    [
      'a place without an id',
      'id;Δήμος\n1;Κηφισιά',
      ...([2, 'Δήμος', '"Κηφισιά" has no id: name it in "values" of the column in the map'] as const),
    ],
    ...['=A1&B1', '#ΑΝΑΦ!', '#N/A', '#DIV/0!', '#NAME?'].map(
      (cell): [string, string, number, string, string] => [
        ...([cell, `id;Τίτλος\n1;${cell}`, 2, 'Τίτλος'] as const),
        `"${cell}" is a formula or an error of the spreadsheet: save its values`,
      ],
    ),
    ['a total without a name or an id', 'Τίτλος;Τιμή\nΦως;5\n;5', 3, null, `has numbers alone: ${isTotal}`],
    [
      'a cell that its delimiter has split',
      'id,Εμβαδόν,Τίτλος,Φωτο\n1,74,5,Φως,\n2,80,Φως,',
      ...([2, null, 'has 5 cells, more than headings'] as const),
    ],
    ['a quote that is never closed', 'id;Τίτλος\n1;"Φως', 2, null, 'Quoted field unterminated'],
  ])('stops before %s', (_, text, line, column, message) => {
    const { problems } = convert(utf8(text), ofLand)
    expect(problems[0]).toEqual({ line, column, message })
  })

  it.each<[string, string, unknown]>([
    ['185.000 €', 'Τιμή', 185_000],
    ['€320,000', 'Τιμή', 320_000],
    ['185.000,00', 'Τιμή', 185_000],
    ['160,5 τ.μ.', 'Εμβαδόν', 160.5],
    ['1.234,56', 'Εμβαδόν', 1234.56],
    ['1,234.56', 'Εμβαδόν', 1234.56],
    ['1.234.567', 'Εμβαδόν', 1_234_567],
    ['0,125', 'Εμβαδόν', 0.125],
    ['1\u2009234,56', 'Εμβαδόν', 1234.56],
    ['€320.000,-', 'Τιμή', 320_000],
  ])('is not %s', (text, heading, value) => {
    const { lines, problems } = convert(utf8(`id;${heading}\n1;"${text}"`), ofLand)
    expect(problems).toEqual([])
    expect(lines[0]?.data[heading === 'Τιμή' ? 'price' : 'size']).toBe(value)
  })
})

describe('a map', () => {
  const places = [
    { id: 9, level: 1, parent_id: null, name_el: 'Αττική', name_en: 'Attica' },
    { id: 913, level: 2, parent_id: 9, name_el: 'Κηφισιά', name_en: 'Kifisia' },
    ...[7, 8].map((id) => ({ id, level: 2, parent_id: 9, name_el: 'Νέα Ιωνία', name_en: null })),
  ]

  it('has the ids of places whose names are unique at their level', () => {
    const { table } = readTable(
      utf8('id;Δήμος;Περιφέρεια\n1;ΚΗΦΙΣΙΑ;attica\n2;kifisia;Κηφισιά\n3;Νέα Ιωνία;9'),
    )
    expect(draftMap(table, places).columns.slice(1)).toEqual([
      {
        heading: 'Δήμος',
        field: 'location.area_level2',
        values: { ΚΗΦΙΣΙΑ: [9, 913], kifisia: [9, 913], 'Νέα Ιωνία': null },
      },
      { heading: 'Περιφέρεια', field: 'location.area_level1', values: { attica: [9], Κηφισιά: null } },
    ])
  })

  it('has the region of a municipality, which another column must not contradict', () => {
    const { table } = readTable(utf8('id;Δήμος;Περιφέρεια\n1;Κηφισιά;\n2;Κηφισιά;Αττική\n3;Κηφισιά;8'))
    const map = draftMap(table, places)
    ofLand(map)
    const { lines, problems } = linesOf(table, csvMap.parse(map))
    const location = { area_level1: 9, area_level2: 913 }
    expect(lines.map(({ data }) => data.location)).toEqual([location, location, location])
    const message = '"8" is a second location.area_level1: another column has it, too'
    expect(problems).toEqual([{ line: 4, column: 'Περιφέρεια', message }])
  })

  it('asks from where to number the records of a table that has no ids', () => {
    const { table } = readTable(utf8('Τιμή;Τετραγωνικά\n100000;80'))
    const map = draftMap(table)
    ofLand(map)
    const message = 'No column is the id: say in "first_id" of the map from where to number'
    expect(linesOf(table, map)).toEqual({ lines: [], problems: [{ line: 1, column: null, message }] })
  })

  it('takes a place without the places above it for one of its own level, and no more than there are', () => {
    const { table } = readTable(utf8('id;Δήμος;Περιφέρεια\n1;Κηφισιά;\n2;;Αττική'))
    const map = draftMap(table, [{ id: 913, level: 2, parent_id: null, name_el: 'Κηφισιά', name_en: null }])
    ofLand(map)
    Object.assign(map.columns[2] ?? {}, { values: { Αττική: [1, 9] } })
    const { lines, problems } = linesOf(table, csvMap.parse(map))
    expect(lines.map(({ data }) => data.location)).toEqual([{ area_level2: 913 }, undefined])
    const message =
      '"Αττική" has more places in "values" of the map than there are down to location.area_level1'
    expect(problems).toEqual([{ line: 3, column: 'Περιφέρεια', message }])
  })

  it('may say what cells are that no rule reads, or that they are nothing', () => {
    const text = 'id;Όροφος;Τιμή;Ανελκυστήρας\n1;Ισόγειο;κατόπιν συμφωνίας;ΝΑΙ (2)\n2;3;5;ΟΧΙ'
    const { lines, problems } = convert(utf8(text), ({ columns, every }) => {
      expect(columns.map(({ values }) => values)).toEqual([
        undefined,
        { Ισόγειο: null },
        { 'κατόπιν συμφωνίας': null },
        { 'ΝΑΙ (2)': null },
      ])
      for (const { values } of columns)
        for (const name of Object.keys(values ?? {}))
          Object.assign(values ?? {}, { [name]: { Ισόγειο: 0, 'ΝΑΙ (2)': true }[name] ?? '' })
      Object.assign(every, { category: 'residential', availability: 'sale' })
    })
    expect(problems).toEqual([])
    const made = { ...every, availability: 'sale' }
    expect(lines.map(({ data }) => data)).toEqual([
      { ...made, id: 1, floor: 0, features: ['elevator'] },
      { ...made, id: 2, floor: 3, price: 5 },
    ])
  })

  it('is refused where it names a value that is none', () => {
    const { problems } = convert(utf8('id;Τύπος\n1;Διαμέρισμα'), ({ columns, every }) => {
      Object.assign(columns[1] ?? {}, { values: { Διαμέρισμα: 'flat' } })
      Object.assign(every, { availability: 'sale' })
    })
    const message = '"flat" in "values" of the map is no value of subcategory'
    expect(problems).toEqual([{ line: 1, column: 'Τύπος', message }])
  })
})

describe('a file', () => {
  const rows = (bytes: Uint8Array) => {
    const { table, problems } = readTable(bytes)
    expect(problems).toEqual([])
    return [table.encoding, table.delimiter, table.headings, ...table.rows]
  }
  const read = (encoding: string, delimiter = ';', line = 2) => [
    encoding,
    delimiter,
    ['α/α', 'Όνομα'],
    { line, cells: ['1', 'Άνω'] },
  ]
  const text = 'α/α;Όνομα\n1;Άνω'
  const utf16 = (isLittle: boolean) =>
    Uint8Array.from(
      [...text].flatMap((letter) => {
        const code = letter.charCodeAt(0)
        return isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255]
      }),
    )

  it.each<[string, Uint8Array, unknown[]]>([
    ['UTF-16LE without BOM', utf16(true), read('utf-16le')],
    ['UTF-16BE without BOM', utf16(false), read('utf-16be')],
    [
      'ISO 8859-7',
      Uint8Array.from([
        0xe1, 0x2f, 0xe1, 0x3b, 0xbc, 0xed, 0xef, 0xec, 0xe1, 10, 0x31, 0x3b, 0xb6, 0xed, 0xf9,
      ]),
      read('iso-8859-7'),
    ],
    ['line ends of several systems', utf8('α/α;"Όνομα"\n\r\n\r1;"Άνω"\r\n'), read('utf-8', ';', 4)],
    ['a line of Excel for the delimiter', utf8('sep=,\r\nα/α,Όνομα\r\n1,Άνω'), read('utf-8', ',', 3)],
    [
      'a delimiter at the end of its rows',
      utf8('α/α;Όνομα\n1;Άνω;'),
      [...read('utf-8').slice(0, 3), { line: 2, cells: ['1', 'Άνω', ''] }],
    ],
  ])('with %s is read', (_, bytes, expected) => {
    expect(rows(bytes)).toEqual(expected)
  })

  it.each<[string, Uint8Array, string]>([
    [
      'wrong bytes in UTF-8',
      Uint8Array.from([...utf8(text), 0xe1]),
      'The file is UTF-8, but line 2 has bytes that are not: save it in one encoding.',
    ],
    ['NUL bytes', utf8('id;title\n1;a\0b'), 'The file is no text: save the table as CSV.'],
    [
      'one column',
      utf8('id|title\n1|a'),
      'The first row has one cell, but must have the headings, parted by ";", "," or tabs.',
    ],
  ])('with %s is refused', (_, bytes, message) => {
    expect(() => readTable(bytes)).toThrow(message)
  })

  it('names a hundred problems at most', () => {
    expect(readTable(utf8(`id;title\n${'1;2;3\n'.repeat(300)}`)).problems).toHaveLength(100)
  })
})
