/** `npm run feeds`: checks a feed by the published rules of its format. */
import { checkFeed } from './feed-check/check.ts'
import { readCommandLine, refuseCommandLine, runScript } from './service/terminal.ts'

const USAGE = `Checks a feed and lists what its readers would refuse or misread: Kyero XML, JSON Feed, sitemaps.

Usage: npm run feeds -- --check URL|FILE [OPTIONS]

  --check URL|FILE  the feed, of this service or any other
  --country NAME    the country that every property of a Kyero feed must have, such as Greece
  --all             names every place of a problem that repeats, not only the first five
  --help            shows this

Exits with 1 if a reader would refuse anything.`

/** Places of a problem that are named. */
const SHOWN = 5

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    check: { type: 'string' },
    country: { type: 'string' },
    all: { type: 'boolean', default: false },
  })
  if (!values.check) return refuseCommandLine('No feed is given.')
  const { findings, counted } = await checkFeed(values.check, values.country)
  // Values differ from place to place.
  const kinds = Map.groupBy(findings, ({ message }) => message.replace(/"(?:[^"\\]|\\.)*"/g, '…'))
  const shown = values.all ? findings.length : SHOWN
  const named = new Set([...kinds.values()].flatMap((alike) => alike.slice(0, shown)))
  for (const { level, where, message } of named) console.log(`${level}: ${where}: ${message}`)
  for (const [message, { length }] of kinds)
    if (length > shown) console.log(`… and ${length - shown} more: ${message}`)
  console.log(`${counted}: ${findings.length === 0 ? 'no problem' : `${findings.length} problems`}`)
  if (findings.some(({ level }) => level === 'error')) process.exitCode = 1
}

await runScript(main)
