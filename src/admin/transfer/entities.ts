/** Every entity of the import format, in the order in which a file lists them. */
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'
import { PLAIN_RESOURCES } from '../../resources/plain-resources.ts'
import { agencyEntities } from './entities/agency.ts'
import { contactEntities } from './entities/contacts.ts'
import { enquiryEntities } from './entities/enquiries.ts'
import { expenseEntities } from './entities/expenses.ts'
import { externalListingEntities } from './entities/external-listings.ts'
import { incomeEntities } from './entities/incomes.ts'
import { knowledgeBaseEntities } from './entities/knowledge-base.ts'
import { listingEntities } from './entities/listings.ts'
import { requestEntities } from './entities/requests.ts'
import type { Entity } from './entity.ts'
import { entityOf } from './plain.ts'

const TABLES = RECORD_RESOURCES.map(({ table }) => table)

/** In the order of the catalogue. */
const RECORDS: Entity[] = [
  ...contactEntities,
  ...listingEntities,
  ...externalListingEntities,
  ...requestEntities,
  ...enquiryEntities,
  ...incomeEntities,
  ...expenseEntities,
  ...PLAIN_RESOURCES.map(entityOf),
].toSorted((a, b) => TABLES.indexOf(a.name) - TABLES.indexOf(b.name))

// Articles refer to users alone.
export const ENTITIES: Entity[] = [...agencyEntities, ...knowledgeBaseEntities, ...RECORDS]
