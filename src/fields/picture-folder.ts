/** Where pictures are kept: what the keys of files in the bucket begin with, and the paths that serve them. */

/** Folder of the pictures that have smaller copies, and may have a domain of their own. */
export const PICTURE_FOLDER = 'photos'
