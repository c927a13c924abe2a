/** Every entity of the import format, in the order in which a file lists them. */
import { agencyEntities } from './entities/agency.ts'
import { contactEntities } from './entities/contacts.ts'
import { listingEntities } from './entities/listings.ts'
import type { Entity } from './entity.ts'

export const ENTITIES: Entity[] = [...agencyEntities, ...contactEntities, ...listingEntities]

/** Entities of the format whose resources are not served yet; import refuses them by name. */
export const UNSERVED = [
  'knowledge_base_articles',
  'external_listings',
  'requests',
  'offers',
  'contracts',
  'incomes',
  'expenses',
]
