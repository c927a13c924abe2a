/** The sizes of pages. */

/** Number of records per page, unless the call has `per_page`. */
export const PAGE_SIZE = 50
/** Maximum of `per_page`. */
export const MAX_PAGE_SIZE = 100
