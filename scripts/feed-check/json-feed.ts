/** The rules of JSON Feed 1.1: https://www.jsonfeed.org/version/1.1/ */
import { isWebUrl, quote, type Report } from './report.ts'

const VERSIONS = ['https://jsonfeed.org/version/1', 'https://jsonfeed.org/version/1.1']
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFilledText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/**
 * Checks a page and returns the address of the next one; null if there is none.
 * @param ids those of the pages before, to which those of this page are added
 */
export function checkJsonFeed(report: Report, text: string, ids: Set<string>): string | null {
  let feed: unknown
  try {
    feed = JSON.parse(text)
  } catch {
    report.error('the file', 'it is not JSON, or was cut off')
    return null
  }
  if (!isObject(feed)) {
    report.error('the file', 'it must be an object')
    return null
  }
  const refuse = (problem: string) => report.error('the file', problem)
  const { version, title, items, next_url } = feed
  if (!VERSIONS.includes(String(version)))
    refuse(`version must be ${VERSIONS[1]}, not ${quote(String(version ?? ''))}`)
  if (!isFilledText(title)) refuse('title is missing')
  for (const name of ['home_page_url', 'feed_url', 'next_url'])
    if (feed[name] !== undefined && !isUrl(feed[name])) refuse(`${name} must be a URL`)
  if (!Array.isArray(items)) {
    refuse('items must be a list')
    return null
  }
  for (const item of items) checkItem(report, item, ids)
  return isUrl(next_url) ? next_url : null
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && isWebUrl(value)
}

function checkItem(report: Report, item: unknown, ids: Set<string>): void {
  const where = `item ${report.count('items')}`
  const refuse = (problem: string) => report.error(where, problem)
  if (!isObject(item)) {
    refuse('must be an object')
    return
  }
  const { id, content_text, content_html, attachments, tags } = item
  if (!isFilledText(id)) refuse(id === undefined ? 'id is missing' : 'id must be text')
  else if (ids.has(id)) refuse(`id is that of another item: ${quote(id)}`)
  else ids.add(id)
  if (!isFilledText(content_text) && !isFilledText(content_html))
    refuse('content_text and content_html are missing: one of them is needed')
  for (const name of ['url', 'external_url', 'image', 'banner_image'])
    if (item[name] !== undefined && !isUrl(item[name])) refuse(`${name} must be a URL`)
  for (const name of ['date_published', 'date_modified']) {
    const moment = item[name]
    if (
      moment !== undefined &&
      !(typeof moment === 'string' && MOMENT.test(moment) && !Number.isNaN(Date.parse(moment)))
    )
      refuse(`${name} must be a date-time of RFC 3339, not ${quote(String(moment))}`)
  }
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')))
    refuse('tags must be a list of texts')
  if (attachments === undefined) return
  if (!Array.isArray(attachments)) refuse('attachments must be a list')
  else
    for (const attachment of attachments)
      if (!isObject(attachment) || !isUrl(attachment.url) || !isFilledText(attachment.mime_type))
        refuse('an attachment must have a url and a mime_type')
}
