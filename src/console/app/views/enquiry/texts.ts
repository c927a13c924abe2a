/** The words of enquiries, in both languages. */
import { useConsole } from '../../state.ts'
import type { Language } from '../../texts.ts'

const EN = {
  status: 'Status',
  saved: 'Saved.',
  save: 'Save',
  listing: 'Listing',
  listingGone: 'cannot be read',
  website: 'Page of the form',
  dates: 'Times wanted',
  amount: 'Amount offered',
  sought: 'What is sought',
  phone: 'Telephone',
  email: 'E-mail',
  marketing: 'Agrees to marketing',
  yes: 'yes',
  no: 'no',
  agent: 'Agent',
  noAgent: 'none',
  alsoAgents: 'also',
  notes: 'Notes of the agency',
  notesChanged: 'Somebody has changed the notes meanwhile. Take over what should stay, and save again:',
  reply: 'Reply by mail',
  replyHint: 'Opens your mail program with the text begun.',
  call: 'Call',
  convert: 'Convert to a contact',
  contact: 'Contact',
  whichContact: 'Who is it?',
  known: 'These contacts have the same e-mail or telephone.',
  unknown: 'No contact has this e-mail or telephone.',
  unread: 'This key may not read contacts, so known ones cannot be offered.',
  newContact: 'A new contact',
  makeRequest: 'Make a request of what is sought',
  office: 'Office',
  availability: 'Offered',
  category: 'Category',
  place: 'Area',
  placeSearch: 'Search for an area',
  confirm: 'Convert',
  cancel: 'Cancel',
  converted: 'Converted',
}

export type EnquiryTexts = typeof EN

const EL: EnquiryTexts = {
  status: 'Κατάσταση',
  saved: 'Αποθηκεύτηκε.',
  save: 'Αποθήκευση',
  listing: 'Ακίνητο',
  listingGone: 'δεν εμφανίζεται',
  website: 'Σελίδα της φόρμας',
  dates: 'Ώρες που προτείνονται',
  amount: 'Ποσό προσφοράς',
  sought: 'Ζητείται',
  phone: 'Τηλέφωνο',
  email: 'E-mail',
  marketing: 'Δέχεται ενημερώσεις',
  yes: 'ναι',
  no: 'όχι',
  agent: 'Συνεργάτης',
  noAgent: 'κανένας',
  alsoAgents: 'επίσης',
  notes: 'Σημειώσεις του γραφείου',
  notesChanged: 'Κάποιος άλλαξε τις σημειώσεις στο μεταξύ. Κρατήστε ό,τι χρειάζεται και αποθηκεύστε ξανά:',
  reply: 'Απάντηση με e-mail',
  replyHint: 'Ανοίγει το πρόγραμμα αλληλογραφίας με την αρχή του κειμένου.',
  call: 'Κλήση',
  convert: 'Μετατροπή σε επαφή',
  contact: 'Επαφή',
  whichContact: 'Ποιος είναι;',
  known: 'Αυτές οι επαφές έχουν το ίδιο e-mail ή τηλέφωνο.',
  unknown: 'Καμία επαφή δεν έχει αυτό το e-mail ή τηλέφωνο.',
  unread: 'Το κλειδί δεν διαβάζει επαφές, γι’ αυτό δεν προτείνονται όσες υπάρχουν ήδη.',
  newContact: 'Νέα επαφή',
  makeRequest: 'Δημιουργία ζήτησης από όσα ζητούνται',
  office: 'Γραφείο',
  availability: 'Διάθεση',
  category: 'Κατηγορία',
  place: 'Περιοχή',
  placeSearch: 'Αναζήτηση περιοχής',
  confirm: 'Μετατροπή',
  cancel: 'Άκυρο',
  converted: 'Μετατράπηκε',
}

const TEXTS: Record<Language, EnquiryTexts> = { en: EN, el: EL }

/** The words of enquiries in the language of the page. */
export function useEnquiryTexts(): EnquiryTexts {
  return TEXTS[useConsole().language]
}
