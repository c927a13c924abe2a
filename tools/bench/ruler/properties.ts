/** External listings, offers and contracts. */
import { idsOf, parse, type Resource, type Row } from './read-resource.ts'

export const EXTERNAL_LISTINGS: Resource = {
  table: 'external_listings',
  select: `select id, store_id, source_id, status, external_url, availability, category, subcategory, price,
    price_per_sqm, size, floor, levels, rooms, wcs, bathrooms, kitchens, living_rooms, year_built, description, address,
    area_level1, area_level2, area_level3, latitude, longitude, contact_full_name, contact_email, contact_phones,
    created_by, date_created, date_updated, photos,
    ${idsOf('external_listing_tag_links', 'tag_id', 'external_listing_id')} as tags,
    ${idsOf('external_listing_users', 'user_id', 'external_listing_id')} as users
    from external_listings t`,
  present: (row, base) => {
    const { address, area_level1, area_level2, area_level3, latitude, longitude, ...rest } = row
    const place = { address, area_level1, area_level2, area_level3, latitude, longitude }
    return { ...rest, location: place, ...parsed(row, base) }
  },
  presentListed: (row, base) => {
    const { contact_email, contact_phones, ...rest } = row
    return { ...rest, system_id: null, ...parsed(row, base) }
  },
}

function parsed(row: Row, base: string) {
  const photos: string[] = parse(row.photos)
  return {
    tags: parse(row.tags),
    users: parse(row.users),
    photos: photos.map((key) => (/^https?:/i.test(key) ? key : `${base}/${key}`)),
  }
}

export const OFFERS: Resource = {
  table: 'offers',
  select: `select id, status, is_active, request_id, store_id, created_by, date_created, date_updated, currency,
    current_listing_price, loan_percentage, notes, external_contact, listing_id, external_property,
    ${idsOf('offer_contacts', 'contact_id', 'offer_id')} as contacts,
    (select json_group_array(json_object('id', id, 'type', type, 'amount', amount, 'current_listing_price',
      current_listing_price, 'notes', notes, 'created_by', created_by, 'date_created', date_created)) from (
      select * from offer_rounds where offer_id = t.id order by date_created, id)) as rounds
    from offers t`,
  present: (row) => ({ ...presentOffer(row), rounds: parse(row.rounds) }),
  presentListed: presentOffer,
}

function presentOffer({ listing_id, external_property, rounds, ...row }: Row) {
  return {
    ...row,
    is_active: row.is_active === 1,
    external_contact: row.external_contact === 1,
    listing: presentProperty(listing_id, external_property),
    contacts: parse(row.contacts),
  }
}

export const CONTRACTS: Resource = {
  table: 'contracts',
  select: `select id, offer_id, request_id, store_id, status_id, created_by, date_created, date_updated, status_date,
    currency, loan_percentage, initial_property_price, final_property_price, deposit_amount, deposit_date,
    notary_contact_id, notes, external_contact, listing_id, external_property,
    ${idsOf('contract_contacts', 'contact_id', 'contract_id')} as contacts
    from contracts t`,
  present: presentContract,
  presentListed: ({ notes, ...row }) => presentContract(row),
}

function presentContract({ listing_id, external_property, ...row }: Row) {
  return {
    ...row,
    external_contact: row.external_contact === 1,
    listing: presentProperty(listing_id, external_property),
    contacts: parse(row.contacts),
  }
}

function presentProperty(listing_id: Row[string] | undefined, external_property: Row[string] | undefined) {
  if (external_property == null) return { external: false, listing_id }
  return { external: true, ...parse(external_property) }
}
