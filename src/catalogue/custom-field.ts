/** The resources whose records carry custom fields, as their paths name them. */
export const CUSTOM_FIELD_RESOURCES = ['listings', 'external-listings', 'requests', 'contacts'] as const

export type CustomFieldResource = (typeof CUSTOM_FIELD_RESOURCES)[number]
