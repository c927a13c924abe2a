/** What Estia calls its values, in the visitor's language. */
import type { BodyOf, visitorPaths } from 'estia/client'
import type { Language } from './texts.ts'

type Enumerations = BodyOf<'get', '/api/enumerations', visitorPaths>['data']
export type Kind = Enumerations[number]['name']

/** The names of values, by their enumerations. */
export class Labels {
  private readonly names: Map<Kind, Map<string, string>>

  constructor(enumerations: Enumerations, language: Language) {
    this.names = new Map(
      enumerations.map(({ name, values }) => [
        name,
        new Map(values.map((one) => [one.value, one[`name_${language}`]])),
      ]),
    )
  }

  /** The name of a value; the value itself if Estia does not name it. */
  of(kind: Kind, value: string): string {
    return this.names.get(kind)?.get(value) ?? value
  }

  /** The name of a value, as it stands within a line. */
  within(kind: Kind, value: string): string {
    const name = this.of(kind, value)
    return name.charAt(0).toLowerCase() + name.slice(1)
  }

  /** Whether there is such a value. */
  has(kind: Kind, value: string): boolean {
    return this.names.get(kind)?.has(value) ?? false
  }
}
