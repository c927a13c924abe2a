/** The inputs and results of calls, derived from the paths of the OpenAPI document. */

import type { paths } from './api.ts'
import type { FileBody } from './body.ts'
import type { EstiaError } from './error.ts'
import type { CallHeaders } from './headers.ts'
import type { Retries } from './retry.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

export type PathOf<M extends Method, Paths = paths> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, object> ? Path : never
}[keyof Paths]

export type ListPath<Paths = paths> = {
  [Path in PathOf<'get', Paths>]: BodyOf<'get', Path, Paths> extends { total_pages: number } ? Path : never
}[PathOf<'get', Paths>]

/** The whole body of a successful reply: `{ status, data }`, `{ status, created_id }`, … */
export type BodyOf<M extends Method, Path extends PathOf<M, Paths>, Paths = paths> =
  Operation<M, Path, Paths> extends { responses: { 200: { content: infer Content } } } ? Json<Content> : never

/**
 * A record in the reply of a path, alone or in a list: `RecordOf<'/api/listings'>`, and for visitors
 * `RecordOf<'/api/listings', visitorPaths>`.
 */
export type RecordOf<Path extends PathOf<'get', Paths>, Paths = paths> =
  BodyOf<'get', Path, Paths> extends { data: infer Data }
    ? Data extends (infer Item)[]
      ? Item
      : Data
    : never

/** The request body of a path: `InputOf<'post', '/api/listings'>`. */
export type InputOf<M extends Method, Path extends PathOf<M, Paths>, Paths = paths> =
  Operation<M, Path, Paths> extends { requestBody: { content: infer Content } }
    ? Json<Content> | Files<Content>
    : never

/** The second argument of a call; optional if nothing in it is required. */
export type Init<M extends Method, Path extends PathOf<M, Paths>, Paths = paths, Options = RequestOptions> =
  Record<never, never> extends Inputs<M, Path, Paths>
    ? [init?: Inputs<M, Path, Paths> & Options]
    : [init: Inputs<M, Path, Paths> & Options]

/** Calls a path with a method. */
export type Caller<M extends Method, Paths = paths, Options = RequestOptions> = <
  Path extends PathOf<M, Paths>,
>(
  path: Path,
  ...init: Init<M, Path, Paths, Options>
) => Promise<Answer<BodyOf<M, Path, Paths>>>

export interface CallOptions {
  /** Cancels the call: `AbortSignal.timeout(5000)`. */
  signal?: AbortSignal | undefined
  /** Overrides the client's `retries`. */
  retries?: Retries | false | undefined
}

export interface RequestOptions extends CallOptions {
  headers?: CallHeaders | undefined
}

/** Either `data` or `error` is set; `response` has the headers. */
export type Answer<Body> =
  | { data: Body; error?: undefined; response: Response }
  | { data?: undefined; error: EstiaError; response: Response }

type Operation<M extends Method, Path extends PathOf<M, Paths>, Paths> =
  Paths[Path] extends Record<M, infer Found> ? Found : never

type Json<Content> = Content extends { 'application/json': infer Body } ? Body : unknown

/** Files instead of JSON: a path that accepts multipart accepts a single file as well. */
type Files<Content> = Content extends { 'multipart/form-data': unknown } ? FileBody : never

type Inputs<M extends Method, Path extends PathOf<M, Paths>, Paths> = Part<
  Operation<M, Path, Paths>,
  'path'
> &
  Part<Operation<M, Path, Paths>, 'query'> &
  (Operation<M, Path, Paths> extends { requestBody: object }
    ? { body: InputOf<M, Path, Paths> }
    : { body?: undefined })

/** The parameters of one kind, under its name; required if the document says so. */
type Part<Op, Kind extends 'path' | 'query'> = Op extends { parameters: infer Parameters }
  ? Pick<Parameters, Kind & keyof Parameters>
  : Record<never, never>
