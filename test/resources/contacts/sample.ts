/** Records of contacts that tests of all resources use. */
import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const samples: Samples = {
  contacts: {
    smallest: { first_name: 'A', created_by: 1 },
    whole: {
      id: 50,
      first_name: 'Nikos',
      phones: [{ type: 'mobile', number: '690', notes: '' }],
      custom_fields: { 50: 2 },
      tags: [],
      ...dates,
    },
    change: { phones: [] },
    create: { first_name: 'A', last_name: 'B', tags: [], users: [1] },
    update: [
      { first_name: 'C', notes: 'N', address: { area: 'X' }, users: [2] },
      { users: [[1], [2]] },
      ['first_name', 'notes', 'address.area'],
    ],
  },
}
