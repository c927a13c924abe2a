/** The inputs and results of calls, derived from the paths of the OpenAPI document. */

import type { paths } from './api.ts'
import type { FileBody } from './body.ts'
import type { EstiaError } from './error.ts'
import type { CallHeaders } from './headers.ts'
import type { Retries } from './retry.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** The paths that support a method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never
}[keyof paths]

/** The paths of lists with pages. */
export type ListPath = {
  [Path in PathOf<'get'>]: BodyOf<'get', Path> extends { total_pages: number } ? Path : never
}[PathOf<'get'>]

/** The whole body of a successful reply: `{ status, data }`, `{ status, created_id }`, … */
export type BodyOf<M extends Method, Path extends PathOf<M>> =
  Operation<M, Path> extends { responses: { 200: { content: infer Content } } } ? Json<Content> : never

/** A record in the reply of a path, alone or in a list: `RecordOf<'/api/listings'>`. */
export type RecordOf<Path extends PathOf<'get'>> =
  BodyOf<'get', Path> extends { data: infer Data } ? (Data extends (infer Item)[] ? Item : Data) : never

/** The request body of a path: `InputOf<'post', '/api/listings'>`. */
export type InputOf<M extends Method, Path extends PathOf<M>> =
  Operation<M, Path> extends { requestBody: { content: infer Content } }
    ? Json<Content> | Files<Content>
    : never

/** The second argument of a call; optional if nothing in it is required. */
export type Init<M extends Method, Path extends PathOf<M>> =
  Record<never, never> extends Inputs<M, Path>
    ? [init?: Inputs<M, Path> & RequestOptions]
    : [init: Inputs<M, Path> & RequestOptions]

export interface RequestOptions {
  headers?: CallHeaders | undefined
  /** Cancels the call: `AbortSignal.timeout(5000)`. */
  signal?: AbortSignal | undefined
  /** Overrides the client's `retries`. */
  retries?: Retries | false | undefined
}

/** Either `data` or `error` is set; `response` has the headers. */
export type Answer<Body> =
  | { data: Body; error?: undefined; response: Response }
  | { data?: undefined; error: EstiaError; response: Response }

type Operation<M extends Method, Path extends PathOf<M>> =
  paths[Path] extends Record<M, infer Found> ? Found : never

type Json<Content> = Content extends { 'application/json': infer Body } ? Body : unknown

/** Files instead of JSON: a path that accepts multipart accepts a single file as well. */
type Files<Content> = Content extends { 'multipart/form-data': unknown } ? FileBody : never

type Inputs<M extends Method, Path extends PathOf<M>> = Part<Operation<M, Path>, 'path'> &
  Part<Operation<M, Path>, 'query'> &
  (Operation<M, Path> extends { requestBody: object } ? { body: InputOf<M, Path> } : { body?: undefined })

/** The parameters of one kind, under its name; required if the document says so. */
type Part<Op, Kind extends 'path' | 'query'> = Op extends { parameters: infer Parameters }
  ? Pick<Parameters, Kind & keyof Parameters>
  : Record<never, never>
