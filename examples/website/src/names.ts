/** What Estia calls its values, features and languages, in the visitor's language. */
import type { BodyOf, visitorPaths } from 'estia/client'
import type { Language } from './texts.ts'

type Enumerations = BodyOf<'get', '/api/enumerations', visitorPaths>['data']
type Features = BodyOf<'get', '/api/listings/features', visitorPaths>['data']
type Languages = BodyOf<'get', '/api/languages', visitorPaths>['data']
export type Kind = Enumerations[number]['name']

export class Names {
  private readonly values: Map<Kind, Map<string, string>>
  private readonly features: Map<string, string>
  /** The features that listings are searched by. */
  readonly searched: ReadonlySet<string>
  /** The id of each language, by its code. */
  readonly languages: ReadonlyMap<string, number>

  /** Pages that show no listing have no names to know. */
  constructor(
    language: Language,
    enumerations: Enumerations = [],
    features: Features = [],
    languages: Languages = [],
  ) {
    const name = `name_${language}` as const
    this.values = new Map(
      enumerations.map((one) => [one.name, new Map(one.values.map((value) => [value.value, value[name]]))]),
    )
    this.features = new Map(features.map((feature) => [feature.key, feature[name]]))
    this.searched = new Set(features.flatMap(({ group, key }) => (group === 'features' ? [key] : [])))
    this.languages = new Map(languages.map(({ code, id }) => [code, id]))
  }

  /** The name of a value; the value itself if Estia does not name it. */
  of(kind: Kind, value: string): string {
    return this.values.get(kind)?.get(value) ?? value
  }

  /** Whether there is such a value. */
  has(kind: Kind, value: string): boolean {
    return this.values.get(kind)?.has(value) ?? false
  }

  feature(key: string): string {
    return this.features.get(key) ?? key
  }
}
