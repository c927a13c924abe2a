/** The resources whose fields and parts say all of them: how they are imported and exported, and where a person can be. */
import { activities } from './activities/resource.ts'
import { appointments } from './appointments/resource.ts'
import { contracts } from './contracts/resource.ts'
import { offers } from './offers/resource.ts'
import { tasks } from './tasks/resource.ts'

export const PLAIN_RESOURCES = [offers, contracts, appointments, activities, tasks]
