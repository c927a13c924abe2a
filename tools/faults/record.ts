/**
 * Records which writes the service has acknowledged, to check them afterwards. A failed write may have taken effect or not:
 * both its value and the previous one are right until the next write succeeds.
 */

/** A field of a record, and the values it may have now. */
interface Field {
  path: string
  name: string
  values: unknown[]
}

export class Acknowledged {
  private readonly fields = new Map<string, Field>()
  /** URLs of pictures in replies. */
  readonly pictures = new Set<string>()
  /** Ids of existing records, by kind. */
  readonly ids = new Map<string, number[]>()

  /**
   * Records a write of field `name` of the record at `path`. Without acknowledgement it may still have taken effect. Such
   * a write is ignored as long as no value is known.
   */
  wrote(path: string, name: string, value: unknown, acknowledged: boolean): void {
    const key = `${path} ${name}`
    const before = this.fields.get(key)
    if (acknowledged) this.fields.set(key, { path, name, values: [value] })
    else if (before) before.values.push(value)
  }

  /** Records a new record, of which this field was written. */
  created(kind: string, id: number, name: string, value: unknown): void {
    this.wrote(`/api/${kind}/${id}`, name, value, true)
    this.ids.set(kind, [...(this.ids.get(kind) ?? []), id])
  }

  /** Records a deletion. Without acknowledgement it may still have taken effect. */
  removed(path: string, acknowledged: boolean): void {
    for (const field of this.fields.values())
      if (field.path === path) field.values = acknowledged ? [undefined] : [...field.values, undefined]
  }

  /** Every written record, with its known fields. */
  byPath(): Map<string, Field[]> {
    const records = new Map<string, Field[]>()
    for (const field of this.fields.values())
      records.set(field.path, [...(records.get(field.path) ?? []), field])
    return records
  }
}
