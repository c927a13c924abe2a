/** What the reply to an import says of its lines. */
import { z } from 'zod'
import { MAX_LINE_PROBLEMS } from './line.ts'
import { MAX_LINES, type ReadLine, truncated } from './read-lines.ts'

/** Maximum lines of a kind in a reply, unless the call asks for all of them. */
export const MAX_NAMED = 100
/** Maximum unknown keys reported for a line. */
const MAX_FIELDS = 20

const number = z.int().describe('Number of the line, from 1')

export const report = z
  .object({
    accepted: z.int().describe('Lines whose record is stored, including those that changed nothing'),
    rejected: z.int().describe('Lines that were refused'),
    errors: z
      .array(
        z
          .object({
            line: number,
            entity: z.string().nullable().describe('Its entity, if it names one'),
            id: z.union([z.int(), z.string()]).nullable().describe('Its id or key, if it has one'),
            message: z.string().describe('Why it was refused: the first problem'),
            problems: z
              .array(
                z.object({
                  field: z.string().nullable().describe('Dotted name; null: the line as a whole'),
                  message: z.string().describe('The whole sentence'),
                }),
              )
              .describe(`Every problem found, at most ${MAX_LINE_PROBLEMS}`),
          })
          .meta({ id: 'ImportError', description: 'A line that was refused' }),
      )
      .max(MAX_LINES)
      .describe('The first lines that were refused'),
    warnings: z
      .array(
        z
          .object({ line: number, message: z.string().describe('What to look at') })
          .meta({ id: 'ImportWarning', description: 'A line that is stored and may be a mistake' }),
      )
      .max(MAX_LINES)
      .describe(
        'The first lines that are stored, but which `strict` would refuse, or whose id belongs to a record that the API created',
      ),
    ignored: z
      .array(
        z
          .object({
            line: number,
            fields: z
              .array(z.string())
              .describe('Its unknown keys, dotted, and texts of erased persons, which were dropped'),
          })
          .meta({ id: 'ImportIgnored', description: 'A line of which something was ignored' }),
      )
      .max(MAX_NAMED)
      .describe('The first lines of which something was ignored'),
    next: z
      .int()
      .nullable()
      .describe(
        'The line to go on from, if the call took too long for all: neither it nor a line below was looked at. Null: all were',
      ),
  })
  .meta({ id: 'ImportReport', description: 'The result of an import' })

/** What became of the first `done` of the lines, which are all that were looked at. */
export function reportOf(all: ReadLine[], done: number, namesAll: boolean): z.output<typeof report> {
  const lines = all.slice(0, done)
  const errors = lines.flatMap(({ number, name, problems, read }) => {
    const found = read?.line.problems ?? problems
    const [first] = found
    if (!first) return []
    const id = read?.line.id ?? null
    const shownId = typeof id === 'string' ? truncated(id) : id
    return { line: number, entity: name, id: shownId, message: first.message, problems: found }
  })
  const warnings = lines.flatMap(({ number, read }) =>
    read?.line.warning && read.line.problems.length === 0 ? { line: number, message: read.line.warning } : [],
  )
  const ignored = lines.flatMap(({ number, read }) => {
    const fields = read?.line.ignored ?? []
    return fields.length > 0 ? { line: number, fields: fields.slice(0, MAX_FIELDS).map(truncated) } : []
  })
  return {
    accepted: lines.length - errors.length,
    rejected: errors.length,
    errors: namesAll ? errors : errors.slice(0, MAX_NAMED),
    warnings: namesAll ? warnings : warnings.slice(0, MAX_NAMED),
    ignored: ignored.slice(0, MAX_NAMED),
    next: all[done]?.number ?? null,
  }
}
