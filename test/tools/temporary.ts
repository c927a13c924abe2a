/** What tests make on this machine, and what is gone after them. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A folder for the tests of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'estia-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A server that answers until the test is over. Returns its address. */
export async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  onTestFinished(() => void server.close())
  await once(server.listen(0), 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
