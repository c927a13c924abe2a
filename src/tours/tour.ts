/** Reads what a tour shows of its listing. */
import { sql } from 'drizzle-orm'
import type { ListingStatus } from '../catalogue/property-enums.ts'
import { database, runStatement } from '../db/client.ts'
import { isOneOf } from '../db/conditions.ts'
import { type Statement, sqlStatement } from '../db/statements.ts'
import type { Language } from './texts.ts'

export interface Panorama {
  /** Key in the bucket, or a URL elsewhere. */
  image: string
  thumb: string
  /** The captions that are not blank. */
  names: Title[]
}

interface Title {
  /** Code of the language in the agency's lookup. */
  language: string
  title: string
}

export interface Tour {
  token: string
  office: string
  code: string | null
  titles: Title[]
  panoramas: Panorama[]
}

/** Statuses of listings whose tours are public: a listing off the market is no longer shown. */
const OPEN = ['draft', 'pending', 'active'] satisfies ListingStatus[]

/** The tour with this token; null if no listing has it, the listing is off the market, or it has no panoramas. */
export async function findTour(env: Env, token: string): Promise<Tour | null> {
  const [row] = await runStatement(database(env), selectTour(token))
  if (!row) return null
  const panoramas: (Omit<Panorama, 'thumb'> & { thumb: string | null })[] = JSON.parse(row.panoramas)
  const titles: Title[] = JSON.parse(row.titles)
  if (panoramas.length === 0) return null
  return {
    token,
    office: row.office,
    code: row.code,
    titles: titles.filter(isFilled),
    panoramas: panoramas.map(({ image, thumb, names }) => ({
      image,
      thumb: thumb ?? image,
      names: names.filter(isFilled),
    })),
  }
}

const isFilled = ({ title }: Title) => title.trim() !== ''

/** The text in this language, otherwise in another one; null if there is none. */
export function textIn(titles: readonly Title[], language: Language): Title | null {
  return titles.find((title) => isOf(title, language)) ?? titles[0] ?? null
}

function isOf(title: Title, language: Language): boolean {
  return title.language.split(/[-_]/)[0]?.toLowerCase() === language
}

function selectTour(
  token: string,
): Statement<{ office: string; code: string | null; titles: string; panoramas: string }> {
  return sqlStatement(sql`select
    stores.name as office, listings.code,
    (select json_group_array(json_object('language', languages.code, 'title', title) order by language_id)
      from listing_translations join languages on languages.id = language_id
      where listing_id = listings.id and title is not null) as titles,
    (select json_group_array(json_object('image', image, 'thumb', thumb, 'names', json((select json_group_array(json_object('language', languages.code, 'title', value ->> 'caption') order by languages.id)
          from json_each(captions) join languages on languages.id = value ->> 'language_id'))) order by ordernum)
      from listing_panoramas where listing_id = listings.id) as panoramas
    from listings join stores on stores.id = store_id
    where tour_token = ${token} and ${isOneOf(sql`status`, OPEN)}`)
}
