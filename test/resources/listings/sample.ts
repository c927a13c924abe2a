/** Records of listings that tests of all resources use. */

import { dates, OLD } from '../../support/factories/dates.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const samples: Samples = {
  listings: {
    smallest: minimalListing,
    whole: {
      ...minimalListing,
      id: 50,
      code: 'X-50',
      status: 'active',
      status_date: OLD,
      price: 1000,
      size: 30,
      tags: [2, 1],
      contacts: [1],
      features: ['elevator'],
      location: {
        area_level1: 1,
        postal_code: '10680',
        address: 'Σόλωνος 5',
        latitude: 37.9,
        longitude: 23.7,
      },
      details: { heating_type: 'central', land_size: 20 },
      'the service': { energy_class: 'ap', has_keys: true },
      translations: [
        { language_id: 1, title: 'Τίτλος', description: null },
        { language_id: 2, title: 'Title', description: 'Text' },
      ],
      photos: [{ original_image: 'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg', watermark_image: null }],
      panorama_photos: [{ image: 'photos/99999999999999999999999999999999.jpg', thumb: null }],
      floor_configuration: [{ floor: 1 }],
      ...dates,
    },
    change: { location: { postal_code: null } },
    create: { ...minimalListing, title: 'Flat "A"', tags: [1, 2], price: 5, colour: 'red' },
  },
}
