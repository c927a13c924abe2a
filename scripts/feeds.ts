/** `npm run feeds`: checks a feed by the published rules of its format. */
import { checkFeed } from './feed-check/check.ts'
import { Report } from './feed-check/report.ts'
import { readCommandLine, refuseCommandLine, runScript } from './service/terminal.ts'

const USAGE = `Checks a feed and lists what its readers would refuse or misread: Kyero XML, JSON Feed, sitemaps.

Usage: npm run feeds -- --check URL|FILE [OPTIONS]

  --check URL|FILE  the feed, of this service or any other; pages and files that it leads to are checked as well
  --country NAME    the country that every property of a Kyero feed must have, such as Greece
  --all             names every place of a problem that repeats, not only the first five
  --help            shows this

Exits with 1 if a reader would refuse anything.`

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    check: { type: 'string' },
    country: { type: 'string' },
    all: { type: 'boolean', default: false },
  })
  if (!values.check) return refuseCommandLine('No feed is given.')
  const report = new Report(values.all ? Number.POSITIVE_INFINITY : undefined)
  await checkFeed(report, values.check, { country: values.country })
  for (const { level, where, message } of report.findings) console.log(`${level}: ${where}: ${message}`)
  for (const [message, count] of report.unnamed) console.log(`… and ${count} more: ${message}`)
  const counts = [...report.counts].map(([what, count]) => `${count} ${what}`).join(', ') || 'nothing'
  console.log(report.findings.length === 0 ? `${counts}: no problem` : `${counts}: ${report.total} problems`)
  if (report.hasErrors) process.exitCode = 1
}

await runScript(main)
