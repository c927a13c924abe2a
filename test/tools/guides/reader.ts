/** What a reader of the guides has and does besides what stands in their blocks. */

import { readFile } from 'node:fs/promises'
import { readPhoto, watermark } from '../../../demo/pictures.ts'

/** Files in the folder where the commands run. */
export const FILES = {
  'house.jpg': () => readPhoto('pool-white'),
  'garden.jpg': () => readPhoto('balcony-sea'),
  'panorama.jpg': () => readPhoto('panorama-living'),
  'logo.png': () => watermark(),
  'contract.pdf': () => readFile('demo/files/07.pdf'),
}

/** Blocks that a guide says to run again. */
export const AGAIN = new Set(['docs/retries.md, Retries, sh 1'])

/** Blocks that are for a service without data. */
export const ON_EMPTY = new Set(['docs/bringing-your-data.md, An empty service, sh 2'])

/** What has happened before a block, by its name. */
export const BEFORE: Record<string, string> = {
  'docs/transfer.md, Import and export, sh 1': 'cp rejected.ndjson agency.ndjson',
  'docs/webhooks.md, When a delivery fails, sh 1': `
    curl -s -o written.json "$URL/api/contacts" -H "Authorization: Bearer estia_…" -d '{"first_name": "Anna"}'
    for _ in {1..100}; do
      curl -s "$URL/admin/webhooks/1/attempts" -H "Authorization: Bearer $ADMIN_TOKEN" | grep changes && break
      sleep 0.2
    done`,
  'docs/authentication.md, Making and revoking keys, sh 1': `
    ID=$(curl -s "$URL/admin/keys" -H 'Authorization: Bearer admin_…' \\
      -d '{"name": "old", "scopes": ["listings:read"]}' | grep -o '"id":"[0-9a-f]*' | cut -c7-)`,
  'docs/authentication.md, Replacing a publishable key, sh 1': `
    ID=$(curl -s "$URL/admin/keys" -H 'Authorization: Bearer admin_…' \\
      -d '{"name": "site", "scopes": ["listings:public"]}' | grep -o '"id":"[0-9a-f]*' | cut -c7-)`,
}

/** Commands that a guide describes in words above an answer, by the name of the answer. */
export const DESCRIBED: Record<string, string> = {
  'docs/authentication.md, Keys and scopes, json 1': 'curl "$URL/api/languages"',
  'docs/authentication.md, Scopes, json 1': `
    key=$(curl -s "$URL/admin/keys" -H 'Authorization: Bearer admin_…' \\
      -d '{"name": "website", "scopes": ["listings:read"]}' | grep -o 'estia_[0-9a-f]*')
    curl "$URL/api/contacts" -H "Authorization: Bearer $key"`,
  'docs/updates.md, Safe edits, json 1': `
    curl -X PUT "$URL/api/listings/301" -H "Authorization: Bearer $KEY" -H "If-Match: $tag" -d '{ "price": 174000 }'`,
}
