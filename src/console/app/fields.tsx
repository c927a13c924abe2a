/** The fields of a record in words, with their values. */
import { useConsole } from './state.ts'
import { fieldName, valueName } from './words.ts'

/** The fields with their values, or their names alone. What is empty is left out. */
export function FieldsInWords({
  resource,
  fields,
}: {
  resource: string
  fields: Record<string, unknown> | string[]
}) {
  const { language } = useConsole()
  if (Array.isArray(fields)) return <>{fields.map((name) => fieldName(name, language)).join(', ')}</>
  return (
    <dl class="facts">
      {Object.entries(fields).flatMap(([name, value]) => {
        const text = <Value resource={resource} field={name} value={value} />
        return isEmpty(value) ? [] : [<dt>{fieldName(name, language)}</dt>, <dd>{text}</dd>]
      })}
    </dl>
  )
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.values(value).every(isEmpty))

/** A value in words: lists and objects line by line. */
function Value({ resource, field, value }: { resource: string; field: string; value: unknown }) {
  const { language, texts } = useConsole()
  if (typeof value === 'boolean') return <>{value ? texts.yes : texts.no}</>
  if (typeof value === 'string') return <>{valueName(resource, field, value, language)}</>
  if (Array.isArray(value))
    return value.every((one) => typeof one !== 'object')
      ? value.map((one) => valueName(resource, field, String(one), language)).join(', ')
      : value.map((one) => (
          <span class="block">
            <Value resource={resource} field={field} value={one} />
          </span>
        ))
  if (typeof value !== 'object' || value === null) return <>{String(value)}</>
  const parts = Object.entries(value).filter(([, one]) => !isEmpty(one))
  return (
    <>
      {parts.map(([name, one]) => (
        <span class="part">
          <span class="quiet">{fieldName(name, language)}:</span>{' '}
          <Value resource={resource} field={name} value={one} />{' '}
        </span>
      ))}
    </>
  )
}
