/** Every entity of the import format, in the order in which a file lists them. */
import { agencyEntities } from './entities/agency.ts'
import { contactEntities } from './entities/contacts.ts'
import { externalListingEntities } from './entities/external-listings.ts'
import { knowledgeBaseEntities } from './entities/knowledge-base.ts'
import { listingEntities } from './entities/listings.ts'
import type { Entity } from './entity.ts'

export const ENTITIES: Entity[] = [...agencyEntities, ...knowledgeBaseEntities, ...contactEntities, ...listingEntities, ...externalListingEntities]

/** Entities of the format whose resources are not served yet; import refuses them by name. */
export const UNSERVED = [
  'requests',
  'offers',
  'contracts',
  'incomes',
  'expenses',
]
