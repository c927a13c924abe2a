/** The scope of every call under `/admin/`. The holder of `ADMIN_TOKEN` has it, and persons may; keys name each scope. */
export const EVERYTHING_ADMIN = 'admin:*'

/** The admin token that `.dev.vars.example` once had. As everybody knows it, it is refused. */
export const PUBLIC_TOKEN = 'local-admin-token'
