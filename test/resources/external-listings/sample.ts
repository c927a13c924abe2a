/** Records of external listings that tests of all resources use. */
import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const samples: Samples = {
  external_listings: {
    smallest: { store_id: 1, created_by: 1 },
    whole: {
      id: 50,
      created_by: 1,
      store_id: 1,
      price: 10,
      size: 3,
      location: { address: 'A', latitude: 1, longitude: 2 },
      photos: ['https://cdn.example/1.jpg'],
      ...dates,
    },
    change: { location: { address: null } },
    create: {
      store_id: 1,
      created_by: 1,
      users: [2, 1],
      price: 100,
      size: 30,
      description: 'a "b" \\ ü',
      photos: ['https://a.example/1', 'ftp://a.example/2', 'https://a.example/3'],
    },
    update: [
      { price: 8, description: 'Near the sea', contact_email: 'a@example.com' },
      { price: [100, 8], price_per_sqm: [3.33, 0.27] },
      ['description', 'contact_email'],
    ],
  },
}
