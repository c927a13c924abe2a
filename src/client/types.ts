/** What the calls of the client take and give, worked out from the document's paths. */

import type { paths } from './api.ts'
import type { FileBody } from './body.ts'
import type { EstiaError } from './error.ts'
import type { CallHeaders } from './headers.ts'
import type { Retries } from './retry.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never
}[keyof paths]

/** The paths that answer page by page. */
export type ListPath = {
  [Path in PathOf<'get'>]: BodyOf<'get', Path> extends { total_pages: number } ? Path : never
}[PathOf<'get'>]

/** The whole body of a successful answer: `{ status, data }`, `{ status, created_id }`, … */
export type BodyOf<M extends Method, Path extends PathOf<M>> =
  Operation<M, Path> extends { responses: { 200: { content: infer Content } } } ? Json<Content> : never

/** A record as a path answers it, alone or in a list: `RecordOf<'/api/listings'>`. */
export type RecordOf<Path extends PathOf<'get'>> =
  BodyOf<'get', Path> extends { data: infer Data } ? (Data extends (infer Item)[] ? Item : Data) : never

/** What a path takes as body: `InputOf<'post', '/api/listings'>`. */
export type InputOf<M extends Method, Path extends PathOf<M>> =
  Operation<M, Path> extends { requestBody: { content: infer Content } }
    ? Json<Content> | Files<Content>
    : never

/** What may be told beside the path; it may be left out when nothing of it is required. */
export type Init<M extends Method, Path extends PathOf<M>> =
  Record<never, never> extends Sent<M, Path>
    ? [init?: Sent<M, Path> & RequestOptions]
    : [init: Sent<M, Path> & RequestOptions]

export interface RequestOptions {
  headers?: CallHeaders | undefined
  /** Gives the call up: `AbortSignal.timeout(5000)`. */
  signal?: AbortSignal | undefined
  /** Instead of the client's own `retries`. */
  retries?: Retries | false | undefined
}

/** Either `data` or `error`; `response` has the headers. */
export type Answer<Body> =
  | { data: Body; error?: undefined; response: Response }
  | { data?: undefined; error: EstiaError; response: Response }

type Operation<M extends Method, Path extends PathOf<M>> =
  paths[Path] extends Record<M, infer Found> ? Found : never

type Json<Content> = Content extends { 'application/json': infer Body } ? Body : unknown

/** What may be sent instead of JSON: a path that takes forms takes one file as well. */
type Files<Content> = Content extends { 'multipart/form-data': unknown } ? FileBody : never

type Sent<M extends Method, Path extends PathOf<M>> = Part<Operation<M, Path>, 'path'> &
  Part<Operation<M, Path>, 'query'> &
  (Operation<M, Path> extends { requestBody: object } ? { body: InputOf<M, Path> } : { body?: undefined })

/** One kind of parameters under its name, as required as the document says. */
type Part<Op, Kind extends 'path' | 'query'> = Op extends { parameters: infer Parameters }
  ? Pick<Parameters, Kind & keyof Parameters>
  : Record<never, never>
