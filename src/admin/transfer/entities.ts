/** Every entity of the import format, in the order in which a file lists them. */
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'
import { PLAIN_RESOURCES } from '../../resources/plain-resources.ts'
import { agencyEntities, knowledgeBaseEntities } from './entities/agency.ts'
import { contacts } from './entities/contacts.ts'
import { enquiries } from './entities/enquiries.ts'
import { expenses } from './entities/expenses.ts'
import { externalListings } from './entities/external-listings.ts'
import { incomes } from './entities/incomes.ts'
import { listings } from './entities/listings.ts'
import { requests } from './entities/requests.ts'
import type { Entity } from './entity.ts'
import { entityOf } from './plain.ts'

const TABLES = RECORD_RESOURCES.map(({ table }) => table)

/** In the order of the catalogue. */
const RECORDS: Entity[] = [
  contacts,
  listings,
  externalListings,
  requests,
  enquiries,
  incomes,
  expenses,
  ...PLAIN_RESOURCES.map(entityOf),
].toSorted((a, b) => TABLES.indexOf(a.name) - TABLES.indexOf(b.name))

// Articles refer to users alone.
export const ENTITIES: Entity[] = [...agencyEntities, ...knowledgeBaseEntities, ...RECORDS]
