/** Recognises the demo agency by its offices, which are stored before everything else. */
import { demoLines } from '../../demo/agency.ts'
import { adminData, type Service } from './admin.ts'

/** The lines of the demo's offices. */
export const officeLines = () =>
  Array.from(demoLines({ contacts: 0, listings: 0 })).filter(({ entity }) => entity === 'stores')

/** Why a load must not continue here; null if one has begun, and no office is of another agency. */
export async function findObstacle(service: Service): Promise<string | null> {
  const path = '/admin/definitions/stores'
  const data = await adminData<{ id: number; name: string }[]>(service, 'GET', path)
  const names = new Map(officeLines().map(({ data: office }) => [office.id, office.name]))
  const foreign = data.find(({ id, name }) => names.get(id) !== name)
  if (foreign) return `This service holds data that is not the demo's: stores ${foreign.id}.`
  return data.length > 0 ? null : 'No load of the demo has begun in this service.'
}
