/** Parts of the view of enquiries. */
import { useConsole } from '../../state.ts'
import type { Enquiry } from './data.ts'

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
