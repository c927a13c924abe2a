/** Parts of which the views are made. */
import type { Child, JSX } from 'hono/jsx'
import { useEffect, useRef, useState } from 'hono/jsx/dom'
import { CallError, may } from './call.ts'
import { type Failure, failureOf, Said } from './errors.tsx'
import { type ConsoleState, type Loaded, useConsole } from './state.ts'

/** Shows what was loaded, or why not. */
export function Result<T>({ loaded, children }: { loaded: Loaded<T>; children: (data: T) => Child }) {
  const { texts } = useConsole()
  const { data, error, isLoading, reload } = loaded
  return (
    <div aria-busy={isLoading ? 'true' : 'false'}>
      {error && (
        <p class="notice bad" role="alert">
          <Said failure={error} />{' '}
          <button type="button" class="link" onClick={reload}>
            {texts.retry}
          </button>
        </p>
      )}
      {!data && isLoading && <p class="quiet">{texts.loading}</p>}
      {data && children(data)}
    </div>
  )
}

interface Column<Row> {
  title: string
  cell: (row: Row) => Child
  /** Numbers stand at the right. */
  isNumber?: boolean
}

interface TableProps<Row> {
  caption: string
  columns: Column<Row>[]
  /** What was loaded, or is still to be. */
  rows: Row[] | Loaded<Row[]>
  /** By default its id, or else its place. */
  keyOf?: (row: Row) => string | number
}

/** A table that becomes a list of cards on a narrow screen. */
export function Table<Row>({ rows, ...table }: TableProps<Row>) {
  const { texts } = useConsole()
  const { caption, columns, keyOf } = table
  const keyAt = (row: Row, index: number) => keyOf?.(row) ?? (row as { id?: number | string }).id ?? index
  if (!Array.isArray(rows)) return <Result loaded={rows}>{(data) => <Table {...table} rows={data} />}</Result>
  if (rows.length === 0) return <p class="quiet">{texts.none}</p>
  return (
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th scope="col" class={isNumber ? 'number' : ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyAt(row, index)}>
            {columns.map(({ title, cell, isNumber }) => (
              <td data-title={title} class={isNumber ? 'number' : ''}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The address of what the console shows of a record; null if no view shows it. */
function recordAddress(resource: string, id: number | string, { self }: ConsoleState): string | null {
  const at = (scope: string, view: string, argument: string) =>
    may(self, scope) ? `#${view}/${encodeURIComponent(argument)}` : null
  if (resource === 'contacts' || resource === 'contact') {
    const scopes = ['contacts:read', 'admin:people'].filter((scope) => may(self, scope))
    return at(scopes[0] ?? '', 'people', String(id)) ?? at('admin:trail', 'trail', `contacts/${id}`)
  }
  if (resource === 'enquiries') return at('enquiries:read', 'enquiries', String(id))
  return at('admin:trail', 'trail', resource === 'keys' ? `by/${id}` : `${resource}/${id}`)
}

/** A record, with a link to what the console shows of it: by its title, or its kind with its name or id. */
export function RecordLink({
  resource,
  id,
  name,
  title,
}: {
  resource: string
  id: number | string
  name?: string | undefined
  title?: string
}) {
  const state = useConsole()
  const address = recordAddress(resource, id, state)
  const text = title ?? `${state.nameOf('records', resource)} ${name ?? id}`
  return address ? <a href={address}>{text}</a> : text
}

/** A button in a row of a table. `of` says to those who hear the page which row it is. */
export function RowButton({ title, of, onPress }: { title: string; of: string; onPress: () => void }) {
  return (
    <button type="button" class="link" onClick={onPress}>
      {title}
      <span class="hidden"> {of}</span>
    </button>
  )
}

export function Badge({ kind = '', children }: { kind?: 'good' | 'bad' | 'warm' | ''; children: Child }) {
  return <span class={`badge ${kind}`}>{children}</span>
}

/** A view's heading, with what can be done beside it. */
export function Heading({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="heading">
      <h1 tabindex={-1}>{title}</h1>
      <div class="actions">{children}</div>
    </div>
  )
}

/** A button that does something at once, unless its type says otherwise. */
export function Button({
  title,
  kind = 'quiet',
  onPress,
  ...button
}: {
  title: Child
  kind?: 'quiet' | 'main' | 'danger'
  onPress?: (() => void) | undefined
} & JSX.IntrinsicElements['button']) {
  return (
    <button type="button" class={`button ${kind}`} onClick={onPress} {...button}>
      {title}
    </button>
  )
}

/** Runs work that takes a moment, and keeps its error; a text that the work answers is one, too. */
export function useWork() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Failure | null>(null)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setError(null)
    const problem = await work().catch(failureOf)
    setError(typeof problem === 'string' || problem instanceof CallError ? problem : null)
    setBusy(false)
  }
  return { isBusy, error, run }
}

/** A button for work that takes a moment. It shows the error of the work. */
export function Action({
  title,
  work,
  kind = 'quiet',
  isSubmit = false,
}: {
  title: string
  work?: () => Promise<unknown>
  kind?: 'quiet' | 'main' | 'danger'
  isSubmit?: boolean
}) {
  const { isBusy, error, run } = useWork()
  return (
    <>
      <Button
        type={isSubmit ? 'submit' : 'button'}
        kind={kind}
        title={title}
        disabled={isBusy}
        onPress={work && (() => void run(work))}
      />
      {error && (
        <span class="error" role="alert">
          <Said failure={error} />
        </span>
      )}
    </>
  )
}

/** A form whose work takes a moment. It shows the error of the work, and is as it was at first once that is done. */
export function Form({
  title,
  work,
  kind = 'main',
  noValidate,
  children,
}: {
  /** Of its button. */
  title: string
  /** A text that it answers is an error, too. */
  work: (form: HTMLFormElement) => Promise<unknown>
  kind?: 'main' | 'danger'
  /** Whether the service alone says what is wrong. */
  noValidate?: boolean
  children: Child
}) {
  const { isBusy, error, run } = useWork()
  const send = (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    void run(async () => (await work(form)) ?? form.reset())
  }
  return (
    <form noValidate={noValidate} onSubmit={send}>
      {children}
      <Problem failure={error} />
      <Button type="submit" kind={kind} title={title} disabled={isBusy} />
    </form>
  )
}

/** A modal dialog. It closes with Escape, and the focus returns to what opened it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: Child
}) {
  const { texts } = useConsole()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // A dialog that is taken away gives the focus to nothing.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
        else document.getElementById('main')?.focus()
      })
    }
  }, [])
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={onClose}>
      <div class="heading">
        <h2 id="dialog-title">{title}</h2>
        <Button title={texts.close} onPress={() => element.current?.close()} />
      </div>
      {children}
    </dialog>
  )
}

/** A labelled input of one line. */
export function TextField({
  label,
  hint,
  ...input
}: { label: string; hint?: string; name: string } & JSX.IntrinsicElements['input']) {
  const id = `field-${input.name}`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} autocomplete="off" maxlength={255} {...input} />
      {hint && <small>{hint}</small>}
    </div>
  )
}

/** A labelled checkbox, or radio button. */
export function Check({ children, ...input }: { children: Child } & JSX.IntrinsicElements['input']) {
  return (
    <label class="check">
      <input type="checkbox" {...input} /> <span>{children}</span>
    </label>
  )
}

/** A labelled text of several lines. */
export function TextArea({
  label,
  value,
  ...input
}: { id: string; label: string; value?: string } & JSX.IntrinsicElements['textarea']) {
  return (
    <div class="field">
      <label for={input.id}>{label}</label>
      <textarea rows={3} maxlength={65_535} {...input}>
        {value}
      </textarea>
    </div>
  )
}

/** Asks before something is gone for good. */
export function Confirm({
  verb,
  name,
  question,
  work,
  onClose,
}: {
  verb: string
  name: string
  question: string
  work: () => Promise<unknown>
  onClose: () => void
}) {
  return (
    <Dialog title={`${verb}: ${name}`} onClose={onClose}>
      <p>{question}</p>
      <Action kind="danger" title={verb} work={work} />
    </Dialog>
  )
}

/** A labelled choice; an empty one stands first unless something is chosen. */
export function Select({
  id,
  label,
  name,
  value,
  options,
  empty,
  required,
  isLabelHidden = false,
  onChange,
}: {
  id: string
  label: string
  name: string
  value?: number | string | null | undefined
  options: [value: string, name: string][]
  empty?: string
  required?: boolean
  isLabelHidden?: boolean
  onChange?: (value: string) => void
}) {
  const chosen = String(value ?? '')
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'hidden' : ''}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        required={required ?? false}
        onChange={(event: Event) => onChange?.((event.target as HTMLSelectElement).value)}
      >
        <option value="" selected={chosen === ''}>
          {empty ?? '–'}
        </option>
        {options.map(([one, title]) => (
          <option key={one} value={one} selected={one === chosen}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A form's own error, or nothing. */
export function Problem({ failure }: { failure: Failure | null }) {
  if (!failure) return null
  return (
    <p class="notice bad" role="alert">
      <Said failure={failure} />
    </p>
  )
}

/** The text of a field of a form that was sent. */
export function textOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Links to the pages before and after one. */
export function Pages({
  page,
  total,
  onTurn,
}: {
  page: number
  total: number
  onTurn: (page: number) => void
}) {
  const { texts } = useConsole()
  if (total <= 1) return null
  return (
    <nav class="pages" aria-label={texts.page}>
      <Button title={texts.newest} disabled={page <= 1} onPress={() => onTurn(page - 1)} />
      <span class="quiet">
        {texts.page} {page} {texts.of} {total}
      </span>
      <Button title={texts.more} disabled={page >= total} onPress={() => onTurn(page + 1)} />
    </nav>
  )
}

/** Hands the person a file. */
export function download(name: string, value: unknown): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
