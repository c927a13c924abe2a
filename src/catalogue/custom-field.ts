/** The resources whose records have custom fields, as named in their paths. */
export const CUSTOM_FIELD_RESOURCES = ['listings', 'external-listings', 'requests', 'contacts'] as const

export type CustomFieldResource = (typeof CUSTOM_FIELD_RESOURCES)[number]
