/** The introduction of the OpenAPI document, in Markdown: what applies to every call. */

import { MAX_ENTRIES } from '../fields/values.ts'
import { ANY_BOOKMARK, BOOKMARK } from '../http/bookmark.ts'
import { VISITOR_ADDRESS } from '../http/caller/website-keys.ts'
import { MAX_VALUES } from '../http/request/json.ts'
import { PAGE_SIZE } from '../http/request/page-size.ts'
import { MAX_BODY, MAX_FILTERS } from '../http/request/read.ts'

export const GUIDE = `
The data of a real-estate agency, as JSON over HTTPS: listings with photos and 360° tours, external listings, offers and
contracts. Also buyer requests with matching, contacts, a knowledge base, incomes and expenses.

# Authentication

Every call under \`/api/\` and \`/office/\` requires an API key. Send it in whichever way suits your client:

- \`Authorization: Bearer <key>\`
- \`X-API-Key: <key>\`
- \`Authorization: Basic …\`, with the key as password and any user name

A key has scopes: \`<resource>:read\` and \`<resource>:write\`. The resource is the part of the path after \`/api/\`
or \`/office/\` (\`listings:read\`, \`knowledge-base:read\`). \`*:read\` and \`*:write\` cover all resources. Each call below names its
scope. Calls under \`/admin/\` require the deployment's admin token instead. Pictures, files, tours, \`/health\` and this
document are public. See [Keys and scopes](/docs/authentication.md).

A key with the scope \`listings:public\` is a website key: it acts for visitors of a website and sees what the public may
see. If it is publishable, it may stand in a page, and be sent as \`?key=<key>\`. \`x-visitors\` of an operation has the
parameters and the reply of such a call. The server of a website may name its visitor in \`${VISITOR_ADDRESS}\`: then the
limits of a visitor hold for that address, too. See [A website in an afternoon](/docs/website.md).

# Filters

You can send the filters of a list in three equivalent ways. All filters are optional; a record must match all of them.

1. **Query parameters**, as listed below: \`?status=active&status=draft&date_created[min]=2026-01-01&page=2\`. Repeat a
   name for several values. Write the sides of a range as \`name[min]\` and \`name[max]\`.
2. **A JSON object in the body of the GET request**, whatever its content type:
   \`{"status": ["active", "draft"], "date_created": {"min": "2026-01-01"}, "page": 2}\`.
3. **The same JSON object in a request with the method QUERY** (RFC 10008) to the same path. Like GET, it is safe and
   repeatable, but every client can send a body with it.

The schema of that object is named after the list: \`ListingFilters\`, \`OfferFilters\` and so on. \`x-filters\` of an
operation refers to it. If you send both body and query, the body takes precedence for each key. Null, an empty list and
an absent key all mean "no filter". An id that does not exist matches nothing; an invalid value is an error. A range needs
at least one of \`min\` and \`max\`. Once a range has a bound, records without a value do not match. See
[Filters and pages](/docs/filters.md).

# Responses

Every body repeats the HTTP status as \`status\`. Success is always 200, also when a record is created.

- A single record is \`{status, data}\`; a lookup is the same with an array.
- A list is a page of ${PAGE_SIZE} records, or as many as \`per_page\` says, with \`page\`, \`total_pages\`, \`results_per_page\`
  and \`total_results\`. Lists start with the newest record unless \`sort\` is set, matches with the best. A page past the
  end is empty, with correct totals. \`Link\` points to the previous and the next page.
- Every response has an \`X-Request-Id\`, which identifies the request in the service's log.

\`fields=all\`, as a filter or when you read one record, adds stored fields that the standard representation omits. They are
marked below. HEAD works wherever GET does. A slash at the end of a path is accepted. Browsers may call from any origin
that the deployment allows.

# Errors

An error is \`{status, error_message}\`. The message is the first problem, in the order of the documented fields:

| message | when |
|---|---|
| \`Missing <field>\` | a required field is absent, null, blank or an empty list |
| \`Invalid <field>: …\` | type, format, value or range is wrong; the message says what is allowed |
| \`Unknown <field> <id>\` | there is no record with that id |
| \`<Resource> not found\` | there is no record with the id in the path |
| \`Invalid JSON body\` | the body is not a JSON object |

Fields within groups are dotted: \`details.heating_type\`. Send \`Accept: application/problem+json\` to get all problems at
once, as problem details (RFC 9457). Checks are made in this order: credentials (401), path and method (404, 405), scope
(403), headers (400), \`Idempotency-Key\` (409, 422, 429). Then follow invalid JSON (400), existence of the record (404),
\`If-Match\` (412) and the fields (400). If a path does not support a method, the response is 405 with \`Allow\`. See
[Errors](/docs/errors.md).

# Writing

An optional field may also be null. On create, null means "not given". PUT changes only the keys that you send. Null or an
empty text clears a field. A list replaces the whole list, and groups of fields are merged key by key. Unknown keys are
ignored and named in the header \`X-Ignored-Fields\`. With \`Prefer: handling=strict\` they are errors, also inside lists of
objects and ranges (\`phones.0.colour\`).

# Safe edits

Reading one record returns a strong \`ETag\`, which changes whenever something that is shown changes. Responses to POST and
PUT have the tag of the record that they wrote. With \`If-None-Match\`, a read gets 304 if nothing changed. With \`If-Match\`,
PUT and DELETE write only if the record has not changed; otherwise the response is 412 \`The record has changed\`.
\`If-Match\` accepts one tag, several or \`*\`, tags of any representation (\`fields=all\`), and weak tags. Without it, changes
are merged as usual. Lists and lookups have tags for website keys only: see [cache](/docs/website.md#cache). See also
[Partial updates](/docs/updates.md).

# Retries

Every POST under \`/api/\` and \`/office/\` accepts an \`Idempotency-Key\` of your choice. Within 24 hours, the same call with the same key is
processed only once. Repeats get the same response, with \`Idempotent-Replayed: true\`. While the first call is in progress,
repeats get 409 with \`Retry-After: 1\`. A key that was used for another path or body gets 422. Errors are not stored. See
[Retries](/docs/retries.md).

# Read replicas

Responses under \`/api/\` that used the database have \`${BOOKMARK}\`, which names the state that they read or wrote. If
you send it with a read, the nearest replica of the database that is at least as new responds. \`${BOOKMARK}: ${ANY_BOOKMARK}\` allows
any replica. Without the header, reads are strictly current. Writes always are. See
[Near your users](/docs/near-your-users.md).

# Limits

A JSON body has at most ${MAX_BODY / 1024 / 1024} MB and ${MAX_VALUES} values; calls with photos allow more, as stated there. Filters have
at most ${MAX_FILTERS / 1024} KB. Anything larger gets 413. Cloudflare accepts addresses of up to 16 KB: send long filters in a body. A list
has at most ${MAX_ENTRIES} entries, unless its field says otherwise. If filters would make \`Link\` longer than 2000 characters, the header is omitted. \`X-Ignored-Fields\`
names at most 20 keys.

# Values

- JSON types are strict: \`"5"\` is not an integer, \`1.0\` is one. Query parameters are converted. Integers are within
  ±(2^53 − 1).
- Prices, sizes, counts and distances are at least 0. Prices are whole units of the currency.
- Texts have at most 255 characters, notes, descriptions and contents 65,535, unless a field says otherwise. They are
  stored exactly as sent; NUL is rejected.
- Date-times are UTC, \`YYYY-MM-DD HH:MM:SS\`; dates are \`YYYY-MM-DD\`.
- Amounts of incomes and expenses are text with two decimals, exact to the cent.
- Lists of ids keep their order; duplicates are dropped.
- Keys of features, positioning, view and flooring have two forms: \`storage\` in responses, \`has_storage_room\` in the
  create body. Bodies may use either. \`GET /api/listings/features\` lists them.
- Custom fields are defined by the agency. The \`custom-fields\` lookups list their ids, types and choices. Values of type
  \`wysiwyg\` are HTML exactly as sent: sanitise them before you display them.

# Examples

The examples below were recorded from the demo agency that \`npm start\` loads. Random file names and current times are
replaced by fixed ones; long lists are cut.
`.trim()
