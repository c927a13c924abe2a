/** What the test of the guides leaves out, each with the reason: nothing is left out by accident. */

/** Blocks of commands that are not run, by name. */
export const NOT_RUN: Record<string, string> = {
  'README.md, Three commands, sh 1': 'installs and starts: test/tools/start.test.ts and CI do',
  'docs/first-call.md, First call, sh 1': 'installs and starts: test/tools/start.test.ts does',
  'README.md, Three commands, sh 3': 'installs the client: test/tools/client-package.test.ts does',
  'docs/client.md, Install, sh 1': 'installs the client: test/tools/client-package.test.ts does',
  'docs/client.md, Install, sh 2':
    'updates the client of a project, from the service that it was installed from',
  'docs/keeping-a-copy.md, The loop, sh 1': 'test/tools/client.test.ts runs it before and after changes',
  'docs/deployment.md, By hand, sh 1': 'a Cloudflare account',
  'docs/deployment.md, By hand, sh 2': 'a Cloudflare account',
  'docs/deployment.md, By hand, sh 3': 'what startAgency does to get the bundle',
  'docs/deployment.md, On your own machine, sh 1': 'starts a service: test/tools/start.test.ts does',
  'docs/deployment.md, Staging, sh 1': 'a Cloudflare account',
  'docs/deployment.md, Staging, sh 2': 'a Cloudflare account',
  'docs/deployment.md, A new version, sh 1': 'a Cloudflare account',
  'docs/deployment.md, A new version, sh 2': 'a Cloudflare account',
  'docs/console.md, The console, sh 1': 'a service with the files of the page: test/browser/console.test.ts',
  'docs/backups.md, Switching them on, sh 1': 'a Cloudflare account',
  'docs/backups.md, Trying one, sh 1': 'there is no backup yet: test/tools/restore.test.ts tries one',
  'docs/backups.md, Restoring, sh 1': 'a fresh deployment: test/tools/restore.test.ts restores into one',
  'docs/backups.md, Restoring, sh 2': 'starts a service of its own: test/tools/restore.test.ts does both',
  'docs/backups.md, Against loss and malice, sh 1': 'a Cloudflare account',
  'docs/deployment.md, Backup, sh 2': 'a bucket at Cloudflare, and rclone',
  'docs/deployment.md, Backup, sh 3': 'a database at Cloudflare',
  'docs/deployment.md, Backup, sh 4': 'a database that went back: test/tools/restore.test.ts has one',
  'docs/deployment.md, Restore, sh 1': 'a fresh deployment: test/tools/restore.test.ts restores',
  'docs/deployment.md, Looking after it, sh 1': 'a Cloudflare account',
  'docs/deployment.md, Looking after it, sh 2':
    'wrangler dev alone has this address: test/scheduled.test.ts calls what it calls',
  'docs/deployment.md, A part of the calls first, sh 1': 'a Cloudflare account',
  'docs/picture-domain.md, Setting it up, sh 1': 'a Cloudflare account',
  'docs/keeping-a-copy.md, Cursors, sh 1':
    'a Cloudflare account: test/http/concurrency/entity-tags.test.ts runs its SQL',
  'docs/enquiries.md, Converting, sh 1':
    'the request would take the id that the guide on matching shows: test/resources/enquiries/convert.test.ts does it',
  'docs/website.md, A whole website, sh 1':
    'runs until it is stopped: test/browser/example-website.test.ts runs what it runs',
  'docs/webhooks.md, Secrets, sh 2': 'a Cloudflare account',
  'docs/running-it.md, 3. The database lacks a migration, sh 1': 'a Cloudflare account',
  'docs/running-it.md, 5. Something is full, sh 1': 'a Cloudflare account',
  'docs/scale.md, What one database carries, sh 1': 'takes minutes: docs/measurements.md has such a run',
}

/** Blocks that are neither commands nor an answer of the command before them, by name. */
export const NOT_COMPARED: Record<string, string> = {
  'docs/authentication.md, Rate limits, http 1':
    'a header of every answer: test/http/caller/rate-limits.test.ts holds it',
  'docs/authentication.md, Rate limits, http 2':
    'a response past the rate limit: test/http/caller/rate-limits.test.ts holds it',
  'docs/authentication.md, People at the console, json 1':
    'a line of an import: test/http/caller/access.test.ts imports such lines',
  'docs/deployment.md, With a button, markdown 1': 'a button for a page at GitHub',
  'docs/portals.md, Checking a feed, text 1':
    'a feed with faults: test/tools/feed-check.test.ts has one for each',
  'docs/webhooks.md, What arrives, http 1': 'a delivery: test/node/webhooks.test.ts verifies its signature',
  'docs/photos.md, Sizes, html 1': 'a part of a page; test/files/sizes.test.ts asks for such URLs',
  'docs/enquiries.md, Converting, json 1': 'the answer of a block that is not run',
  'docs/website.md, schema.org, html 1':
    'a part of a page; test/resources/listings/public/schema-org.test.ts has such documents',
  'docs/website.md, The first page, html 1': 'a page: test/browser/website.test.ts opens it',
  'docs/versioning.md, Deprecation, http 1': 'an example: nothing is deprecated',
  'docs/near-your-users.md, Smart Placement, toml 1': 'settings: held against wrangler below',
  'docs/backups.md, Switching them on, toml 1': 'settings: held against wrangler below',
  'docs/backups.md, Trying one, text 1': 'the answer of a block that is not run',
  'docs/backups.md, Restoring, json 1': 'the answer once no restore is under way',
  'docs/deployment.md, A domain, toml 1': 'settings: held against wrangler below',
  'docs/deployment.md, A domain, toml 2': 'settings: held against wrangler below',
  'docs/deployment.md, Mails, toml 1': 'settings: held against wrangler below',
  'docs/picture-domain.md, Setting it up, toml 1': 'settings: held against wrangler below',
  'docs/picture-domain.md, Sizes, text 1':
    'addresses of a deployment: test/node/example-website.test.ts makes such ones',
  'docs/keeping-a-copy.md, Cursors, json 1':
    'a cursor of 90 days ago: test/resources/changes/read.test.ts holds it',
  'docs/keeping-a-copy.md, Keeping a copy, json 1': 'what changed first depends on what was done before',
  'docs/running-it.md, What to watch, json 1':
    'figures of an agency at work: test/admin/stats.test.ts has each',
  'docs/transfer.md, Import and export, json 1': 'a file to import: the command below it imports it',
}
