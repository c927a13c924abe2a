/** What calls of `/admin` answer, by their paths in the OpenAPI document. */
import type { BodyOf, PathOf, RecordOf } from 'estia/client'
import type { paths } from '../../../dist/admin.d.ts'

/** A record of a reply, alone or in a list. */
export type Admin<Path extends PathOf<'get', paths>> = RecordOf<Path, paths>

/** The whole reply of a list. */
export type AdminPage<Path extends PathOf<'get', paths>> = BodyOf<'get', Path, paths>

/** The whole reply of a `POST`. */
export type Posted<Path extends PathOf<'post', paths>> = BodyOf<'post', Path, paths>
