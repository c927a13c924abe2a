import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { create, readCreated } from './creating.ts'

beforeAll(seedAgency)

describe('POST /api/listings: location', () => {
  const exact = { latitude: 37.9755, longitude: 23.7348 }

  it.each([
    [{ area_level2: 11 }, 'Invalid location.area_level2: requires area_level1'],
    [{ area_level1: null, area_level2: 11 }, 'Invalid location.area_level2: requires area_level1'],
    [{ area_level3: 111 }, 'Invalid location.area_level3: requires area_level2'],
    [{ area_level1: 1, area_level3: 111 }, 'Invalid location.area_level3: requires area_level2'],
    [{ area_level1: 11 }, 'Invalid location.area_level1: must be a location of level 1'],
    [{ area_level1: 1, area_level2: 2 }, 'Invalid location.area_level2: must be a location of level 2'],
    [{ area_level1: 1, area_level2: 111 }, 'Invalid location.area_level2: must be a location of level 2'],
    [{ area_level1: 2, area_level2: 11 }, 'Invalid location.area_level2: is not part of area_level1 2'],
    [
      { area_level1: 1, area_level2: 12, area_level3: 111 },
      'Invalid location.area_level3: is not part of area_level2 12',
    ],
  ])('refuses %j', (location, message) => expectInvalid(create({ location }), message))

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
    ['real', true, false],
    ['fake', false, true],
    ['none', false, false],
    [null, false, false],
    [undefined, false, false],
  ])('display_address %s shows as %s and %s', async (display_address, display, circle) => {
    const { location } = await readCreated({ location: { ...exact, display_address } })
    expect(location).toMatchObject({ display_address: display, show_circle_on_map: circle, ...exact })
    expect(location.fake_latitude === null).toBe(display_address === 'real')
    expect(location.fake_longitude === null).toBe(display_address === 'real')
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
