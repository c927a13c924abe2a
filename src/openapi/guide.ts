/** What holds for every call: the introduction of the document, in Markdown. */

import { MAX_ENTRIES } from '../fields/values.ts'
import { ANY, BOOKMARK } from '../http/bookmark.ts'
import { PAGE_SIZE } from '../http/envelope.ts'
import { MAX_VALUES } from '../http/json.ts'
import { MAX_BODY, MAX_FILTERS } from '../http/request.ts'

export const GUIDE = `
The data of a real-estate agency: listings with photos and 360° tours, external listings, offers, contracts, buyer
requests with matching, contacts, a knowledge base, incomes and expenses. JSON in, JSON out, over HTTPS.

# Authentication

Every call under \`/api/\` takes an API key, in whichever form suits the client:

- \`Authorization: Bearer <key>\`
- \`X-API-Key: <key>\`
- \`Authorization: Basic …\`, with the key as password and any user name

A key has scopes: \`<resource>:read\` and \`<resource>:write\`, where the resource is the part of the path behind \`/api/\`
(\`listings:read\`, \`knowledge-base:read\`). \`*:read\` and \`*:write\` stand for all resources. Each call below names the
scope it asks for. Calls under \`/admin/\` take the deployment's admin token instead. Pictures, files, tours, \`/health\`
and this document are open to all.

# Filters

Filters of a list can be sent in three ways that mean the same. All are optional, and a record must meet all of them.

1. **Query parameters**, as listed below: \`?status=active&status=draft&date_created[min]=2026-01-01&page=2\`. Repeat a
   name for several values; write the sides of a range as \`name[min]\` and \`name[max]\`.
2. **A JSON object in the body of the GET request**, whatever its content type:
   \`{"status": ["active", "draft"], "date_created": {"min": "2026-01-01"}, "page": 2}\`.
3. **The same JSON object in a request with the method QUERY** (RFC 10008) to the same path. It is safe and can be
   repeated like GET, but every client can give it a body.

The schema of that object is named after what is listed, \`ListingFilters\`, \`OfferFilters\` and so on; \`x-filters\` of an
operation refers to it. When both body and query come, the body wins key by key. Null, an empty list and an absent key
all mean "no filter"; an id that does not exist finds nothing; a value that cannot be is an error. A range needs at
least one of \`min\` and \`max\`, and once a side is set, records without a value do not match.

# Answers

Every body repeats the HTTP status as \`status\`. Reading one record gives \`{status, data}\`, a lookup the same with an
array, and a list a page of ${PAGE_SIZE} records with \`page\`, \`total_pages\`, \`results_per_page\` and
\`total_results\`. Lists begin with the newest record, matches with the best. A page past the end is empty, with the true
totals; \`Link\` leads to the neighbours. Success is always 200, creating included. Every answer has an \`X-Request-Id\`,
which names the request in the service's log.

\`fields=all\`, as a filter or on reading one record, adds stored fields that the standard form leaves out; they are
marked below. HEAD works wherever GET does. A slash at the end of a path is tolerated. Browsers may call from any origin
that the deployment allows.

# Errors

An error is \`{status, error_message}\`, and the message is the first problem in the order of the documented fields:

| message | when |
|---|---|
| \`Missing <field>\` | a required field is absent, null, blank or an empty list |
| \`Invalid <field>: …\` | type, format, value or range is wrong; the text says what is allowed |
| \`Unknown <field> <id>\` | there is no record of that id |
| \`<Resource> not found\` | the id in the path stands for nothing |
| \`Invalid JSON body\` | the body is no JSON object |

Fields within groups are dotted: \`details.heating_type\`. Send \`Accept: application/problem+json\` to get every problem at
once, as problem details of RFC 9457. Checks come in this order: credentials (401), path and method (404, 405), scope
(403), headers (400), \`Idempotency-Key\` (409, 422), a body that is no JSON (400), existence of the record (404),
\`If-Match\` (412), its fields (400). On a path that
exists, a method that it does not take is answered with 405 and \`Allow\`.

# Writing

A field that may be left out may also be null. On create, null means "not given". PUT changes only the keys that are
sent: null or an empty text clears a key, a list replaces the whole list, a group of fields is merged key by key. Keys
that the service does not know are ignored and named in the header \`X-Ignored-Fields\`; with \`Prefer: handling=strict\`
they are errors, within lists of objects and ranges, too (\`phones.0.colour\`).

# Safe edits

Reading one record gives a strong \`ETag\`, another one after every change of what is shown; so do the answers of POST and
PUT, for the record that they wrote. \`If-None-Match\` makes a read answer 304 where nothing is new. \`If-Match\` makes PUT
and DELETE write only over what the caller has seen, else they answer 412 \`The record has changed\`; it takes one tag,
several or \`*\`, those of any form of the record (\`fields=all\`), and weak ones. Without it changes are merged as ever.
Lists and lookups have no tags. See [Partial updates](/docs/updates.md).

# Retries

Every POST takes an \`Idempotency-Key\` of the caller's choice. The same call with the same key is done once, however often
and whenever it is sent within 24 hours, and answered the same, with \`Idempotent-Replayed: true\`. While the first is at
work, others with its key are answered with 409 and \`Retry-After: 1\`; a key that was used for another path or body with 422.
Errors are not kept. See [Retries](/docs/retries.md).

# Near the caller

Answers of calls under \`/api/\` that touched the database carry \`${BOOKMARK}\`, a name for the state that they have seen
or made. A read that brings it is answered by the nearest copy of the database that is at least as new;
\`${BOOKMARK}: ${ANY}\` takes any copy. Without the header a read is strictly current. Writes always are, whatever they
bring. See [Near your users](/docs/near-your-users.md).

# Limits

A JSON body has at most ${MAX_BODY / 1024 / 1024} MB (more where photos travel in it: see there) and
${MAX_VALUES} values; filters have at most ${MAX_FILTERS / 1024} KB, in a body as in a query string; more is answered
with 413. A list has at most ${MAX_ENTRIES} entries, unless its field says otherwise. Filters that would make \`Link\`
longer than 2000 characters have none. \`X-Ignored-Fields\` names at most 20 keys.

# Values

- JSON types are strict: \`"5"\` is no integer, \`1.0\` is one. Query parameters are converted. Integers lie within ±(2^53 − 1).
- Prices, sizes, counts and distances are at least 0. Prices are whole units of currency.
- Texts have at most 255 characters, notes, descriptions and contents 65,535, unless a field says otherwise. They are
  stored exactly as sent; NUL is refused.
- Moments are UTC, \`YYYY-MM-DD HH:MM:SS\`; days are \`YYYY-MM-DD\`.
- Amounts of incomes and expenses are text with two decimals, exact to the cent.
- A list of ids keeps its order, duplicates are dropped.
- Features, positioning, view and flooring are keys that come in two forms: \`storage\` in answers, \`has_storage_room\` in
  the create body. Bodies may use either; \`GET /api/listings/features\` lists them.
- Custom fields are defined by the agency; the \`custom-fields\` lookups tell their ids, types and choices. Values of type
  \`wysiwyg\` are HTML exactly as it was sent: whoever shows it must sanitise it.

# Examples

The examples below were recorded from the demo agency that \`npm start\` loads. Random names of files, and moments that are
"now", are replaced by fixed ones; long lists are cut.
`.trim()
