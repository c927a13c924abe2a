/** The settings of the agency: what each is called, and how it is entered. Their values are checked by `admin/transfer/`. */
import type { Input } from './lookups.ts'

interface Setting {
  names: readonly [el: string, en: string]
  /** The lookup that it names an entry of. */
  to?: string
  /** How it is entered otherwise; absent if no form is for it. */
  input?: Input | 'flag' | 'language'
}

export const SETTINGS = {
  listings_max_resize: {
    names: ['Μεγαλύτερη πλευρά φωτογραφίας (pixels)', 'Longest side of photos (pixels)'],
    input: 'number',
  },
  watermark: { names: ['Υδατογράφημα στις φωτογραφίες', 'Watermark on photos'], input: 'flag' },
  default_language_id: { names: ['Γλώσσα, αν δεν δοθεί', 'Language, if none is given'], to: 'languages' },
  default_request_status_id: {
    names: ['Κατάσταση νέας ζήτησης', 'Status of a new request'],
    to: 'request_statuses',
  },
  default_external_listing_status_id: {
    names: ['Κατάσταση νέου εξωτερικού ακινήτου', 'Status of a new external listing'],
    to: 'external_listing_statuses',
  },
  default_contact_source_id: {
    names: ['Πηγή νέας επαφής', 'Source of a new contact'],
    to: 'contact_sources',
  },
  default_user_id: { names: ['Συνεργάτης, αν δεν δοθεί', 'User, if none is given'], to: 'users' },
  default_contract_status_id: {
    names: ['Κατάσταση νέου συμβολαίου', 'Status of a new contract'],
    to: 'contract_statuses',
  },
  default_currency: { names: ['Νόμισμα, αν δεν δοθεί', 'Currency, if none is given'], input: 'text' },
  partner_commission_category_id: {
    names: ['Κατηγορία εξόδων για προμήθειες συνεργατών', 'Category of expenses for commissions of partners'],
    to: 'expense_categories',
  },
  console_roles: { names: ['Δικαιώματα στην κονσόλα', 'What persons at the console may do'] },
  trail_days: { names: ['Ημέρες που μένει το ιστορικό', 'Days for which the trail is kept'] },
  enquiry_spam_days: {
    names: ['Ημέρες που μένουν τα ανεπιθύμητα ερωτήματα', 'Days for which spam is kept'],
    input: 'number',
  },
  enquiry_closed_days: {
    names: ['Ημέρες που μένουν τα κλειστά ερωτήματα', 'Days for which closed enquiries are kept'],
    input: 'number',
  },
  enquiry_email: { names: ['Τα ερωτήματα στέλνονται στο', 'Enquiries are mailed to'], input: 'email' },
  mail_language: { names: ['Γλώσσα των μηνυμάτων', 'Language of mails'], input: 'language' },
  appointment_mails: {
    names: ['Μηνύματα για ραντεβού στους συνεργάτες', 'Mails of appointments to users'],
    input: 'flag',
  },
  time_zone: { names: ['Ζώνη ώρας', 'Time zone'], input: 'text' },
  books_closed_until: { names: ['Τα βιβλία έχουν κλείσει έως', 'Books are closed until'], input: 'date' },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

export const SETTING_LIST: readonly (readonly [name: string, setting: Setting])[] = Object.entries(SETTINGS)

/** The settings that name an entry of a lookup. */
export function settingsNaming(lookup: string): string[] {
  return SETTING_LIST.flatMap(([name, { to }]) => (to === lookup ? name : []))
}
