/** Parts of the view of enquiries. */
import { useConsole } from '../../state.ts'
import type { Enquiry } from './data.ts'

/** A labelled choice; an empty one stands first unless something is chosen. */
export function Select({
  id,
  label,
  name,
  value,
  options,
  empty,
  required,
  isLabelHidden = false,
  onChange,
}: {
  id: string
  label: string
  name: string
  value?: number | string | null | undefined
  options: [value: string, name: string][]
  empty?: string
  required?: boolean
  isLabelHidden?: boolean
  onChange?: (value: string) => void
}) {
  const chosen = String(value ?? '')
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'hidden' : ''}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        required={required ?? false}
        onChange={(event: Event) => onChange?.((event.target as HTMLSelectElement).value)}
      >
        <option value="" selected={chosen === ''}>
          {empty ?? '–'}
        </option>
        {options.map(([one, title]) => (
          <option key={one} value={one} selected={one === chosen}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

/** What is sought, in words. */
export function Criteria({ enquiry }: { enquiry: Enquiry }) {
  const { language } = useConsole()
  return (
    <ul>
      {enquiry.criteria.map((one) => (
        <li key={one.name}>
          <span class="quiet">{one[`name_${language}`]}:</span> {one[`value_${language}`]}
        </li>
      ))}
    </ul>
  )
}
