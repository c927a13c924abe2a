import { beforeAll, describe, expect, it } from 'vitest'
import { seedAgency } from '../../support/factories/agency.ts'
import { readCreated } from './creating.ts'

beforeAll(seedAgency)

describe('POST /api/listings: location', () => {
  const exact = { latitude: 37.9755, longitude: 23.7348 }

  it.each([
    [{}, { latitude: 0, longitude: 0 }],
    [{ location: null }, { latitude: 0, longitude: 0 }],
    [{ location: {} }, { latitude: 0, longitude: 0 }],
    [{ location: { latitude: null, longitude: null } }, { latitude: 0, longitude: 0 }],
    [{ location: { latitude: 38 } }, { latitude: 38, longitude: 0 }],
    [{ location: { longitude: -24.5 } }, { latitude: 0, longitude: -24.5 }],
    [{ location: { latitude: -90, longitude: 180 } }, { latitude: -90, longitude: 180 }],
  ])('of %j has the coordinates %j', async (body, coordinates) => {
    expect((await readCreated(body)).location).toMatchObject(coordinates)
  })

  it.each([
    ['fake', 'Ερμού 15', 'Ερμού'],
    ['fake', 'Λεωφ. 28ης Οκτωβρίου 5', 'Λεωφ. 28ης Οκτωβρίου'],
    ['fake', '15', null],
    ['fake', null, null],
    ['none', 'Ερμού 15', null],
    ['real', 'Ερμού 15', null],
  ])('with display_address %s shows the public %j as %j', async (display_address, address, expected) => {
    const { location } = await readCreated({ location: { ...exact, display_address, address } })
    expect(location).toMatchObject({ address_el: address, fake_address_el: expected })
  })
})
