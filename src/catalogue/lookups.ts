/**
 * The lookups of the agency: what it defines itself, and its records refer to by id. An entry each, from which everything
 * follows that goes over all of them: definitions, the change feed and its triggers, and the names of what uses one.
 */
import { CUSTOM_FIELD_RESOURCES } from './custom-field.ts'
import { RECORD_RESOURCES } from './resources.ts'

/** A type of `<input>`. */
export type Input = 'text' | 'email' | 'url' | 'number' | 'checkbox' | 'color' | 'date'

export interface Lookup {
  /** Its table, and the entity of the import. */
  table: string
  /** Its path after `/api/`; of custom fields, which have one for each resource, the end of it. */
  resource: string
  /** What an entry is called in a sentence, and what several are. */
  one: string
  many: string
  /** What one and several are called in Greek. */
  greek: readonly [one: string, many: string]
  /** How the fields of an entry are entered in a form: by a type of `<input>`, or from a lookup. Null if it takes more. */
  inputs: Readonly<Record<string, Input | 'stores'>> | null
  /** The column with the beginning of the path. */
  pathFrom?: string
  /** The columns whose change counts; any when absent. */
  sets?: string
  /** What cannot change while an entry is in use, as more follows from it than an import looks at. */
  fixedInUse?: readonly string[]
}

/** In the order of an import. */
export const LOOKUPS: readonly Lookup[] = [
  lookup('languages', ['Γλώσσα', 'Γλώσσες'], { code: 'text' }),
  lookup('stores', ['Γραφείο', 'Γραφεία'], { phone: 'text', email: 'email', address: 'text', url: 'url' }),
  lookup('users', ['Συνεργάτης', 'Συνεργάτες'], {
    email: 'email',
    store_id: 'stores',
    phone: 'text',
    is_active: 'checkbox',
  }),
  {
    ...lookup('locations', ['Περιοχή', 'Περιοχές'], null),
    // Not the text for searches, which code derives.
    sets: 'level, parent_id, name_el, name_en, full_name_el, full_name_en',
  },
  lookup('special_locations', ['Σημείο ενδιαφέροντος', 'Σημεία ενδιαφέροντος'], {
    latitude: 'number',
    longitude: 'number',
  }),
  lookup('listing_sources', ['Πηγή ακινήτων', 'Πηγές ακινήτων']),
  lookup('listing_tags', ['Ετικέτα ακινήτων', 'Ετικέτες ακινήτων']),
  lookup('external_listing_statuses', ['Κατάσταση εξωτερικών ακινήτων', 'Καταστάσεις εξωτερικών ακινήτων']),
  lookup('external_listing_sources', ['Πηγή εξωτερικών ακινήτων', 'Πηγές εξωτερικών ακινήτων']),
  lookup('external_listing_tags', ['Ετικέτα εξωτερικών ακινήτων', 'Ετικέτες εξωτερικών ακινήτων']),
  lookup('request_statuses', ['Κατάσταση ζητήσεων', 'Καταστάσεις ζητήσεων']),
  lookup('request_sources', ['Πηγή ζητήσεων', 'Πηγές ζητήσεων']),
  lookup('request_tags', ['Ετικέτα ζητήσεων', 'Ετικέτες ζητήσεων']),
  lookup('contact_sources', ['Πηγή επαφών', 'Πηγές επαφών']),
  lookup('contact_tags', ['Ετικέτα επαφών', 'Ετικέτες επαφών']),
  {
    ...lookup('income_other_categories', ['Κατηγορία λοιπών εσόδων', 'Κατηγορίες λοιπών εσόδων']),
    one: 'income category',
    many: 'income categories',
  },
  lookup('expense_categories', ['Κατηγορία εξόδων', 'Κατηγορίες εξόδων']),
  lookup('listing_subtypes', ['Είδος ακινήτου', 'Είδη ακινήτων'], null),
  {
    ...lookup('contract_statuses', ['Κατάσταση συμβολαίων', 'Καταστάσεις συμβολαίων'], {
      is_completed: 'checkbox',
      is_cancelled: 'checkbox',
      bg_color: 'color',
      text_color: 'color',
    }),
    // Whether the offers of contracts are active.
    fixedInUse: ['is_completed', 'is_cancelled'],
  },
  {
    ...lookup('custom_fields', ['Πρόσθετο πεδίο', 'Πρόσθετα πεδία'], null),
    pathFrom: 'resource',
  },
]

/** What belongs to records of one kind has its path below theirs: `listing_tags` are `listings/tags`. */
function lookup(table: string, greek: Lookup['greek'], inputs: Lookup['inputs'] = {}): Lookup {
  const many = table.replaceAll('_', ' ')
  const one = many.replace(/ies$/, 'y').replace(/(?<=us)es$|(?<!us)s$/, '')
  const owner = RECORD_RESOURCES.find((resource) => table.startsWith(`${resource.table.slice(0, -1)}_`))
  const path = owner ? `${owner.resource}/${table.slice(owner.table.length)}` : table
  const resource = path.replaceAll('_', '-')
  return { table, resource, one, many, greek, inputs: inputs && { name: 'text', ...inputs } }
}

/** The lookup that is stored in `table`, if it is one. */
export function lookupIn(table: string): Lookup | undefined {
  return LOOKUPS.find((one) => one.table === table)
}

/** The paths of a lookup after `/api/`, as the change feed names them. */
export function pathsOf({ resource, pathFrom }: Lookup): string[] {
  return pathFrom ? CUSTOM_FIELD_RESOURCES.map((start) => `${start}/${resource}`) : [resource]
}
