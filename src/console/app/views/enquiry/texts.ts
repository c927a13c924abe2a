/** The words of enquiries, in both languages. */
import { inBoth } from '../../../../catalogue/bilingual.ts'
import { useConsole } from '../../state.ts'

const TEXTS = inBoth({
  status: ['Κατάσταση', 'Status'],
  saved: ['Αποθηκεύτηκε.', 'Saved.'],
  save: ['Αποθήκευση', 'Save'],
  listing: ['Ακίνητο', 'Listing'],
  listingGone: ['δεν εμφανίζεται', 'cannot be read'],
  website: ['Σελίδα της φόρμας', 'Page of the form'],
  dates: ['Ώρες που προτείνονται', 'Times wanted'],
  amount: ['Ποσό προσφοράς', 'Amount offered'],
  sought: ['Ζητείται', 'What is sought'],
  phone: ['Τηλέφωνο', 'Telephone'],
  email: ['E-mail', 'E-mail'],
  marketing: ['Δέχεται ενημερώσεις', 'Agrees to marketing'],
  yes: ['ναι', 'yes'],
  no: ['όχι', 'no'],
  agent: ['Συνεργάτης', 'Agent'],
  noAgent: ['κανένας', 'none'],
  alsoAgents: ['επίσης', 'also'],
  notes: ['Σημειώσεις του γραφείου', 'Notes of the agency'],
  notesChanged: [
    'Κάποιος άλλαξε τις σημειώσεις στο μεταξύ. Κρατήστε ό,τι χρειάζεται και αποθηκεύστε ξανά:',
    'Somebody has changed the notes meanwhile. Take over what should stay, and save again:',
  ],
  reply: ['Απάντηση με e-mail', 'Reply by mail'],
  replyHint: [
    'Ανοίγει το πρόγραμμα αλληλογραφίας με την αρχή του κειμένου.',
    'Opens your mail program with the text begun.',
  ],
  call: ['Κλήση', 'Call'],
  convert: ['Μετατροπή σε επαφή', 'Convert to a contact'],
  contact: ['Επαφή', 'Contact'],
  whichContact: ['Ποιος είναι;', 'Who is it?'],
  known: [
    'Αυτές οι επαφές έχουν το ίδιο e-mail ή τηλέφωνο.',
    'These contacts have the same e-mail or telephone.',
  ],
  unknown: ['Καμία επαφή δεν έχει αυτό το e-mail ή τηλέφωνο.', 'No contact has this e-mail or telephone.'],
  unread: [
    'Το κλειδί δεν διαβάζει επαφές, γι’ αυτό δεν προτείνονται όσες υπάρχουν ήδη.',
    'This key may not read contacts, so known ones cannot be offered.',
  ],
  newContact: ['Νέα επαφή', 'A new contact'],
  makeRequest: ['Δημιουργία ζήτησης από όσα ζητούνται', 'Make a request of what is sought'],
  office: ['Γραφείο', 'Office'],
  availability: ['Διάθεση', 'Offered'],
  category: ['Κατηγορία', 'Category'],
  place: ['Περιοχή', 'Area'],
  placeSearch: ['Αναζήτηση περιοχής', 'Search for an area'],
  confirm: ['Μετατροπή', 'Convert'],
  cancel: ['Άκυρο', 'Cancel'],
  converted: ['Μετατράπηκε', 'Converted'],
})

/** The words of enquiries in the language of the page. */
export function useEnquiryTexts() {
  return TEXTS[useConsole().language]
}
