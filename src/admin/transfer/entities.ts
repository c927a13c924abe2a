/** Every entity of the import format, in the order in which a file lists them. */
import { agencyEntities } from './entities/agency.ts'
import { contactEntities } from './entities/contacts.ts'
import { contractEntities } from './entities/contracts.ts'
import { enquiryEntities } from './entities/enquiries.ts'
import { expenseEntities } from './entities/expenses.ts'
import { externalListingEntities } from './entities/external-listings.ts'
import { incomeEntities } from './entities/incomes.ts'
import { knowledgeBaseEntities } from './entities/knowledge-base.ts'
import { listingEntities } from './entities/listings.ts'
import { offerEntities } from './entities/offers.ts'
import { requestEntities } from './entities/requests.ts'
import type { Entity } from './entity.ts'

export const ENTITIES: Entity[] = [
  ...agencyEntities,
  ...knowledgeBaseEntities,
  ...contactEntities,
  ...listingEntities,
  ...externalListingEntities,
  ...requestEntities,
  ...enquiryEntities,
  ...offerEntities,
  ...contractEntities,
  ...incomeEntities,
  ...expenseEntities,
]
