/** The records of the agency itself, which other records refer to by id. All of them are imported. */
import { color, count, email, flag, key, number, reference, text, webUrl } from '../fields/kinds.ts'

/** An entry of a lookup. */
export const lookupItem = {
  id: key({ doc: 'What records refer to' }),
  name: text({ doc: 'Name', person: false, required: true }),
}

export const language = {
  id: key({ doc: 'What `language_id` refers to' }),
  code: text({ doc: 'Code: `el`, `en`', person: false, required: true }),
  name: text({ doc: 'Name', person: false, required: true }),
}

/** An office. */
export const store = {
  id: key({ doc: 'What `store_id` refers to' }),
  name: text({ doc: 'Name', person: false, required: true }),
  /** Stored as a key in the bucket, or as a URL elsewhere. */
  watermark_url: text({
    doc: 'Watermark on the photos of the office; null without one',
    person: false,
    max: 2000,
    storedAs: 'watermark',
  }),
  phone: text({ doc: 'Phone number, displayed as it is', person: false, max: 50 }),
  /** Mails of enquiries go there. */
  email: email({ doc: 'E-mail address', person: false, changedBy: 'admin:settings' }),
  address: text({ doc: 'Street, number, postal code and town', person: false }),
  url: webUrl({ doc: 'Page of the office, http or https', person: false }),
}

export const user = {
  id: key({ doc: 'What `users`, `created_by` and `partner_id` refer to' }),
  name: text({ doc: 'Full name', person: false, required: true }),
  /** Says who signs in at the console. */
  email: text({ doc: 'E-mail address', person: false, changedBy: 'admin:settings' }),
  store_id: reference({ doc: 'Office', to: 'stores' }),
  phone: text({ doc: 'Phone number, displayed as it is', person: false, max: 50, writeOnly: true }),
  is_active: flag({ doc: 'Whether the user still works for the agency', none: true, writeOnly: true }),
}

/** A region, municipality, district or neighbourhood. */
export const place = {
  id: key({ doc: 'What `area_level1` to `area_level3` and `locations` refer to' }),
  level: count({
    doc: '1 region, 2 municipality or district, 3 neighbourhood',
    min: 1,
    max: 3,
    required: true,
  }),
  parent_id: reference({ doc: 'The place that contains it; null for a region', to: 'locations' }),
  name_el: text({ doc: 'Name in Greek', person: false, required: true }),
  name_en: text({ doc: 'Name in English', person: false, required: true }),
  full_name_el: text({
    doc: 'Name in Greek, with the places that contain it',
    person: false,
    required: true,
  }),
  full_name_en: text({
    doc: 'Name in English, with the places that contain it',
    person: false,
    required: true,
  }),
}

/** A point of interest. */
export const specialLocation = {
  id: key({ doc: 'What `special_locations` of a request refers to' }),
  name: text({ doc: 'Name', person: false, required: true }),
  latitude: number({ doc: 'Degrees', min: -90, max: 90, required: true }),
  longitude: number({ doc: 'Degrees', min: -180, max: 180, required: true }),
}

export const contractStatus = {
  id: key({ doc: 'What `status_id` of a contract refers to' }),
  name: text({ doc: 'Name', person: false, required: true }),
  is_completed: flag({ doc: 'Whether contracts with this status are completed', required: true }),
  is_cancelled: flag({ doc: 'Whether contracts with this status are cancelled', required: true }),
  bg_color: color({ doc: 'Background colour of the name', required: true }),
  text_color: color({ doc: 'Text colour of the name', required: true }),
}
