/** The scope of every call under `/admin/`. The holder of `ADMIN_TOKEN` has it, and persons may; keys name each scope. */
export const EVERYTHING_ADMIN = 'admin:*'
