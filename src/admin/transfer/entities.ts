/** Every entity of the import format, in the order in which a file lists them. */
import { contracts } from '../../resources/contracts/resource.ts'
import { offers } from '../../resources/offers/resource.ts'
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

export const ENTITIES: Entity[] = [
  ...agencyEntities,
  ...knowledgeBaseEntities,
  ...contactEntities,
  ...listingEntities,
  ...externalListingEntities,
  ...requestEntities,
  ...enquiryEntities,
  entityOf(offers),
  entityOf(contracts),
  ...incomeEntities,
  ...expenseEntities,
]
