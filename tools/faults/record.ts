/**
 * What the service has acknowledged, so that it can be asked for afterwards. A write that failed may have taken effect or
 * not: both its value and the one before are right until the next write succeeds.
 */

/** A field of a record, and the values it may have now. */
interface Field {
  path: string
  name: string
  values: unknown[]
}

export class Acknowledged {
  private readonly fields = new Map<string, Field>()
  /** Addresses of pictures that answers named. */
  readonly pictures = new Set<string>()
  /** Records by kind that are there, and can be written to. */
  readonly ids = new Map<string, number[]>()

  /** A write of `name` of the record at `path`; not acknowledged, it may have happened all the same. */
  wrote(path: string, name: string, value: unknown, acknowledged: boolean): void {
    const key = `${path} ${name}`
    const before = this.fields.get(key)
    if (acknowledged) this.fields.set(key, { path, name, values: [value] })
    else if (before) before.values.push(value)
  }

  /** The record may be gone, or is. */
  removed(path: string, acknowledged: boolean): void {
    for (const field of this.fields.values())
      if (field.path === path) field.values = acknowledged ? [undefined] : [...field.values, undefined]
  }

  /** Every record that was written, with the fields that are known of it. */
  byPath(): Map<string, Field[]> {
    const records = new Map<string, Field[]>()
    for (const field of this.fields.values())
      records.set(field.path, [...(records.get(field.path) ?? []), field])
    return records
  }
}
