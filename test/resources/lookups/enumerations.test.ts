import { describe, expect, it } from 'vitest'
import { ENUMERATIONS as DOCUMENTED } from '../../../src/openapi/names.ts'
import { get } from '../../support/api.ts'

const PATH = '/api/enumerations'

/** The enumerations of the interface's table first. */
const NAMES =
  'category availability subcategory property_condition orientation shortterm_unit heating_type heating_source frames ' +
  'frames_glass construction_type garden zoning land_slope access_type assignment assignment_fee_type listing_status ' +
  'energy_class land_use planning_status display_address precision photo_kind offer_status round_type income_category ' +
  'income_status commission_side expense_status enquiry_type enquiry_status consent_purpose custom_field_type ' +
  'appointment_type appointment_status appointment_party confirmation_via feedback_interest feedback_price notice_event ' +
  'activity_type activity_direction task_status'

interface Enumeration {
  name: string
  values: { value: string; name_el: string; name_en: string }[]
}

const read = async (): Promise<Enumeration[]> => (await get(PATH)).body.data
const valuesOf = ({ values }: Enumeration) => values.map(({ value }) => value)

describe('GET /api/enumerations', () => {
  it('names the values of every enumeration, in the order of the interface', async () => {
    const data = await read()
    expect(data.map(({ name }) => name)).toEqual(NAMES.split(' '))
    const find = (name: string) => data.find((one) => one.name === name)
    expect(find('land_slope')).toEqual({
      name: 'land_slope',
      values: [
        { value: 'flat', name_el: 'Επίπεδο', name_en: 'Flat' },
        { value: 'sloped', name_el: 'Επικλινές', name_en: 'Sloped' },
        { value: 'amphitheatrical', name_el: 'Αμφιθεατρικό', name_en: 'Amphitheatrical' },
      ],
    })
    expect(
      find('subcategory')?.values.filter(({ value }) => /^(villa|office|plot|air)$/.test(value)),
    ).toEqual([
      { value: 'villa', name_el: 'Βίλα', name_en: 'Villa' },
      { value: 'office', name_el: 'Γραφείο', name_en: 'Office' },
      { value: 'plot', name_el: 'Οικόπεδο', name_en: 'Plot' },
      { value: 'air', name_el: 'Αέρας', name_en: 'Air rights' },
    ])
  })

  it('names each value once, in both languages', async () => {
    for (const { name, values } of await read()) {
      for (const key of ['value', 'name_el', 'name_en'] as const) {
        expect(new Set(values.map((one) => one[key])).size, `${name}.${key}`).toBe(values.length)
      }
      for (const { value, name_el, name_en } of values) {
        expect(name_en, value).toMatch(/^[A-Z][A-Za-z +-]*$/)
        // Some words are the same in Greek.
        if (!/^([A-G]\+*|PVC|Fan coil)$/.test(name_el)) expect(name_el, value).toMatch(/^\p{Script=Greek}/u)
      }
    }
  })

  it('leaves out no enumeration of the documentation', async () => {
    const served = new Set((await read()).map((one) => valuesOf(one).join()))
    const documented = Object.entries(DOCUMENTED).filter(
      ([name]) => !/^FeatureGroup$|Key(Input)?$/.test(name),
    )
    expect(documented.length).toBeGreaterThan(25)
    for (const [name, [values]] of documented) expect(served, name).toContain(values.join())
  })
})
