/** What every part of a page knows: who asks for it, in which language, and what Estia calls things. */
import { type Child, createContext, useContext } from 'hono/jsx'
import type { Estia } from './estia.ts'
import type { Names } from './names.ts'
import type { Settings } from './settings.ts'
import type { Language, Texts } from './texts.ts'

export interface Visit {
  env: Settings
  estia: Estia
  language: Language
  t: Texts
  names: Names
  /** The origin of the website: `https://www.agency.example`. */
  site: string
}

/** Where a page is, and what it is about. */
export interface Page {
  /** The path after the language, with what belongs to it of the query: `/search?availability=rent`. */
  path: string
  title: string
  description?: string
  /** Picture for social media. */
  image?: string | undefined
  /** JSON-LD for search engines. */
  schema?: string | null
  /** Not for search engines: most searches, errors. */
  isHidden?: boolean
  hasMap?: boolean
}

/** A page with its content. */
export interface View {
  page: Page
  body: Child
}

const VisitContext = createContext<Visit | null>(null)
export const InVisit = VisitContext.Provider

export function useVisit(): Visit {
  const visit = useContext(VisitContext)
  if (!visit) throw new Error('A part of a page stands outside a visit')
  return visit
}
