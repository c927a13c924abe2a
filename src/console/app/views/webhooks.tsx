/** Webhooks, and what became of their deliveries. */

import { useState } from 'hono/jsx/dom'
import type { Admin } from '../admin.ts'
import { call, read } from '../call.ts'
import { Noted } from '../errors.tsx'
import { Action, Badge, Button, Dialog, Heading, RowButton, Table } from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'

type Webhook = Admin<'/admin/webhooks'>

type Attempt = Admin<'/admin/webhooks/{id}/attempts'>

export function Webhooks() {
  const { texts, formatDate, formatNumber, nameOf } = useConsole()
  const webhooks = useLoaded('webhooks', () => read<Webhook[]>('/admin/webhooks'))
  const [opened, setOpened] = useState<Webhook | null>(null)
  return (
    <>
      <Heading title={texts.webhooks}>
        <Button title={texts.refresh} onPress={webhooks.reload} />
      </Heading>
      <Table
        caption={texts.webhooks}
        rows={webhooks}
        columns={[
          {
            title: texts.url,
            cell: ({ url, description }) => (
              <>
                <strong>{description ?? url}</strong>
                {description && <small class="block">{url}</small>}
              </>
            ),
          },
          {
            title: texts.resource,
            cell: ({ resources }) =>
              resources?.map((one) => nameOf('resources', one)).join(', ') ?? texts.all,
          },
          {
            title: texts.status,
            cell: ({ enabled, failures, error, disabled_reason }) => (
              <>
                <Badge kind={!enabled ? 'bad' : failures > 0 ? 'warm' : 'good'}>
                  {enabled ? texts.enabled : texts.disabled}
                </Badge>
                {(disabled_reason ?? error) && (
                  <small class="block">
                    <Noted error={disabled_reason ?? error ?? ''} />
                  </small>
                )}
              </>
            ),
          },
          {
            title: texts.failures,
            cell: ({ failures }) => formatNumber(failures),
            isNumber: true,
          },
          { title: texts.delivered, cell: ({ date_delivered }) => formatDate(date_delivered) },
          {
            title: texts.actions,
            cell: (webhook) => (
              <RowButton
                title={texts.attempts}
                of={webhook.description ?? webhook.url}
                onPress={() => setOpened(webhook)}
              />
            ),
          },
        ]}
      />
      {opened && (
        <Attempts
          webhook={opened}
          onClose={() => {
            setOpened(null)
            webhooks.reload()
          }}
        />
      )}
    </>
  )
}

function Attempts({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { texts, formatDate, formatNumber, nameOf } = useConsole()
  const path = `/admin/webhooks/${webhook.id}`
  const [isEnabled, setEnabled] = useState(webhook.enabled)
  const attempts = useLoaded(path, () => read<Attempt[]>(`${path}/attempts`))
  return (
    <Dialog title={webhook.description ?? webhook.url} onClose={onClose}>
      <div class="actions">
        <Action
          title={isEnabled ? texts.disable : texts.enable}
          work={async () => {
            await call('PUT', path, { body: { enabled: !isEnabled } })
            setEnabled(!isEnabled)
          }}
        />
        <Action
          title={texts.test}
          work={async () => {
            await call('POST', `${path}/test`)
            attempts.reload()
          }}
        />
      </div>
      <Table
        caption={texts.attempts}
        rows={attempts}
        columns={[
          { title: texts.date, cell: ({ date }) => formatDate(date) },
          { title: texts.type, cell: ({ type }) => nameOf('messages', type) },
          {
            title: texts.status,
            cell: ({ status, error }) => (
              <>
                <Badge kind={status !== null && status < 300 ? 'good' : 'bad'}>{status ?? '–'}</Badge>
                {error && (
                  <small class="block">
                    <Noted error={error} />
                  </small>
                )}
              </>
            ),
          },
          { title: 'ms', cell: ({ milliseconds }) => formatNumber(milliseconds), isNumber: true },
        ]}
      />
    </Dialog>
  )
}
