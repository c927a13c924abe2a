/** Contacts and requests. */
import { idsOf, parse, type Resource } from './read-resource.ts'

export const CONTACTS: Resource = {
  table: 'contacts',
  select: `select id, first_name, last_name, source_id, is_lead, is_company, company_name, phones, emails, notes,
    address_area, address_street, address_postal_code, custom_fields, contact_details, date_created, date_updated,
    created_by, date_converted_to_client,
    ${idsOf('contact_tag_links', 'tag_id', 'contact_id')} as tags,
    ${idsOf('contact_users', 'user_id', 'contact_id')} as users
    from contacts t`,
  listed: 'is_deleted = 0',
  hidden: true,
  present: (row) => ({
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    source_id: row.source_id,
    is_lead: row.is_lead === 1,
    is_company: row.is_company === 1,
    company_name: row.company_name,
    phones: parse(row.phones),
    emails: parse(row.emails),
    notes: row.notes,
    address: { area: row.address_area, street: row.address_street, postal_code: row.address_postal_code },
    custom_fields: parse(row.custom_fields),
    contact_details: parse(row.contact_details),
    tags: parse(row.tags),
    date_created: row.date_created,
    date_updated: row.date_updated,
    created_by: row.created_by,
    users: parse(row.users),
    date_converted_to_client: row.date_converted_to_client,
  }),
}

export const REQUESTS: Resource = {
  table: 'requests',
  select: `select id, date_created, date_updated, created_by, store_id, source_id, status, availability, category,
    subcategories, price_min, price_max, price_per_sqm_min, price_per_sqm_max, size_min, size_max, year_built_min,
    year_built_max, rooms_min, rooms_max, floor_min, floor_max, has_elevator, criteria, custom_fields,
    ${idsOf('request_contacts', 'contact_id', 'request_id')} as contacts,
    ${idsOf('request_users', 'user_id', 'request_id')} as users,
    ${idsOf('request_tag_links', 'tag_id', 'request_id')} as tags,
    (select json_group_array(json_object('area_level1', level1, 'area_level2', level2, 'area_level3', level3)) from (
      select coalesce(above2.id, above1.id, place.id) as level1,
        case place.level when 2 then place.id when 3 then above1.id end as level2,
        case place.level when 3 then place.id end as level3
      from request_locations link
      join locations place on place.id = link.location_id
      left join locations above1 on above1.id = place.parent_id
      left join locations above2 on above2.id = above1.parent_id
      where link.request_id = t.id order by link.position)) as areas
    from requests t`,
  listed: 'is_deleted = 0',
  hidden: true,
  present: (row) => ({
    id: row.id,
    date_created: row.date_created,
    date_updated: row.date_updated,
    created_by: row.created_by,
    store_id: row.store_id,
    source_id: row.source_id,
    status: row.status,
    availability: row.availability,
    category: row.category,
    subcategories: parse(row.subcategories),
    price_min: row.price_min,
    price_max: row.price_max,
    price_per_sqm_min: row.price_per_sqm_min,
    price_per_sqm_max: row.price_per_sqm_max,
    size_min: row.size_min,
    size_max: row.size_max,
    year_built_min: row.year_built_min,
    year_built_max: row.year_built_max,
    rooms_min: row.rooms_min,
    rooms_max: row.rooms_max,
    floor_min: row.floor_min,
    floor_max: row.floor_max,
    has_elevator: row.has_elevator === 1,
    extra_fields: { ...parse(row.criteria), ...parse(row.custom_fields) },
    contacts: parse(row.contacts),
    users: parse(row.users),
    tags: parse(row.tags),
    locations: parse(row.areas),
  }),
}
