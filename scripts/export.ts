/** Writes the whole database to a file: `ADMIN_TOKEN=… npm run export -- FILE [--url URL]`. */
import { open, rename } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { adminCall, serviceFrom } from './service/admin.ts'
import { runScript, showProgress } from './service/terminal.ts'

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { url: { type: 'string' } }, allowPositionals: true })
  const [file] = positionals
  if (!file) {
    console.error('Usage: npm run export -- FILE [--url URL]')
    process.exit(2)
  }

  const answer = await adminCall(serviceFrom(values.url), 'GET', '/admin/export')
  // A file of that name is replaced only by a whole one.
  const partial = `${file}.partial`
  const output = await open(partial, 'w')
  let records = 0
  for await (const chunk of answer.body ?? []) {
    await output.write(chunk)
    for (const byte of chunk) if (byte === 0x0a) records++
    showProgress(`${records} records`)
  }
  await output.close()
  await rename(partial, file)
  showProgress(`${records} records in ${file}`, true)
}

await runScript(main)
