/** Feeds for portals and the listings that they leave out, and the calendars of users, whose URLs are shown once, when they are made. */

import { useState } from 'hono/jsx/dom'
import type { Admin } from '../admin.ts'
import { read } from '../call.ts'
import { Meaning } from '../names.tsx'
import { Badge, Dialog, Heading, RecordLink, Result, RowButton, Table } from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'

type Feed = Admin<'/admin/feeds'>

type Calendar = Admin<'/admin/calendars'>

type LeftOut = Admin<'/admin/feeds/{id}/left-out'>

export function Feeds() {
  const { texts, formatDate } = useConsole()
  const feeds = useLoaded('feeds', () => read<Feed[]>('/admin/feeds'))
  const [opened, setOpened] = useState<Feed | null>(null)
  return (
    <>
      <Heading title={texts.feeds} />
      <Table
        caption={texts.feeds}
        rows={feeds}
        columns={[
          { title: texts.name, cell: ({ name }) => <strong>{name}</strong> },
          { title: texts.format, cell: ({ format }) => <Badge>{format}</Badge> },
          {
            title: texts.url,
            cell: ({ url }) => (
              <a href={url} rel="noreferrer" class="long">
                {url}
              </a>
            ),
          },
          { title: texts.date, cell: ({ date_updated }) => formatDate(date_updated) },
          {
            title: texts.actions,
            cell: (feed) =>
              feed.format === 'kyero' && (
                <RowButton title={texts.leftOut} of={feed.name} onPress={() => setOpened(feed)} />
              ),
          },
        ]}
      />
      <Calendars />
      {opened && <LeftOutListings feed={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function Calendars() {
  const { texts, formatDate, nameOf } = useConsole()
  const title = nameOf('resources', 'calendars')
  const calendars = useLoaded('calendars', () => read<Calendar[]>('/admin/calendars'))
  return (
    <>
      <h2>{title}</h2>
      <Table
        caption={title}
        rows={calendars}
        columns={[
          { title: texts.id, cell: ({ id }) => id },
          {
            title: nameOf('records', 'users'),
            cell: ({ user_id }) => <Meaning meaning={{ list: 'users' }} id={user_id} />,
          },
          {
            title: texts.format,
            cell: ({ detail, tasks }) => (
              <>
                <Badge>{nameOf('details', detail)}</Badge>
                {tasks && <Badge>{nameOf('resources', 'tasks')}</Badge>}
              </>
            ),
          },
          { title: texts.date, cell: ({ date_updated }) => formatDate(date_updated) },
        ]}
      />
    </>
  )
}

function LeftOutListings({ feed, onClose }: { feed: Feed; onClose: () => void }) {
  const { texts, nameOf } = useConsole()
  const path = `/admin/feeds/${feed.id}/left-out`
  const listings = useLoaded(path, () => read<LeftOut[]>(path))
  return (
    <Dialog title={`${feed.name}: ${texts.leftOut}`} onClose={onClose}>
      <Result loaded={listings}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="notice good">{texts.leftOutNone}</p>
          ) : (
            <Table
              caption={texts.leftOut}
              rows={rows}
              columns={[
                {
                  title: texts.listing,
                  cell: ({ listing_id }) => <RecordLink resource="listings" id={listing_id} />,
                },
                { title: texts.reason, cell: ({ reason }) => nameOf('leftOut', reason) },
              ]}
            />
          )
        }
      </Result>
    </Dialog>
  )
}
