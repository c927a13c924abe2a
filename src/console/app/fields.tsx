/** The fields of a record in words, with their values. */
import { meaningOf } from './meanings.ts'
import { Meaning, useCustomField } from './names.tsx'
import { useConsole } from './state.ts'

/** The fields with their values, or their names alone. What is empty is left out. */
export function FieldsInWords({
  resource,
  fields,
}: {
  resource: string
  fields: Record<string, unknown> | string[]
}) {
  const { fieldName } = useConsole()
  if (Array.isArray(fields)) return <>{fields.map((name) => fieldName(name)).join(', ')}</>
  return (
    <dl class="facts">
      {Object.entries(fields).flatMap(([name, value]) => {
        const text = <Value resource={resource} field={name} value={value} />
        return isEmpty(value) ? [] : [<dt>{fieldName(name)}</dt>, <dd>{text}</dd>]
      })}
    </dl>
  )
}

/** Whether a value says nothing. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.values(value).every(isEmpty))

/** A moment or a day as the service writes it. */
const MOMENT = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/

/** A value in words: ids by what they mean, lists and objects line by line. */
export function Value({ resource, field, value }: { resource: string; field: string; value: unknown }) {
  const { texts, formatDate, formatNumber, fieldName, valueName } = useConsole()
  if (value === null || value === undefined || value === '') return <>–</>
  if (typeof value === 'boolean') return <>{value ? texts.yes : texts.no}</>
  if (typeof value === 'string')
    return <>{MOMENT.test(value) ? formatDate(value) : valueName(resource, field, value)}</>
  if (typeof value === 'number') {
    const meaning = meaningOf(resource, field)
    if (meaning) return <Meaning meaning={meaning} id={value} />
    return <>{/year|(^|_)id$/.test(field) ? value : formatNumber(value)}</>
  }
  if (Array.isArray(value))
    return value.length === 0 ? (
      <>–</>
    ) : (
      value.map((one, index) => (
        <span class={typeof one === 'object' ? 'block' : ''}>
          <Value resource={resource} field={field} value={one} />
          {typeof one !== 'object' && index < value.length - 1 && ', '}
        </span>
      ))
    )
  const parts = Object.entries(value).filter(([, one]) => !isEmpty(one))
  return (
    <>
      {parts.map(([name, one]) => (
        <span class="part">
          {/^\d+$/.test(name) ? (
            <CustomValue resource={resource} id={Number(name)} value={one} />
          ) : (
            <>
              <span class="quiet">{fieldName(name)}:</span>{' '}
              <Value resource={resource} field={name} value={one} />
            </>
          )}{' '}
        </span>
      ))}
    </>
  )
}

/** A custom field with its value. */
function CustomValue({ resource, id, value }: { resource: string; id: number; value: unknown }) {
  const { name = `#${id}`, type = '', options } = useCustomField(resource, id) ?? {}
  const chosen =
    options && [value].flat().map((one) => options.find((option) => option.id === one)?.name ?? one)
  // Users and contacts are named as in fields of their own.
  const [, people = ''] = /^(user|contact)/.exec(type) ?? []
  return (
    <>
      <span class="quiet">{name}:</span>{' '}
      {chosen?.join(', ') ?? <Value resource={resource} field={people && `${people}s`} value={value} />}
    </>
  )
}
