import type { Subcategory } from '../src/catalogue/enums.ts'

/** An item of a plain lookup. */
export interface Named {
  readonly id: number
  readonly name: string
}

export const DEMO_LANGUAGES = [
  { id: 1, code: 'el', name: 'Ελληνικά' },
  { id: 2, code: 'en', name: 'English' },
] as const

/** The stores. `municipalities` are those that each serves; the first store serves all others. */
export const STORES = [
  {
    id: 1,
    name: 'Εστία Κέντρο',
    phone: '+30 210 555 0100',
    email: 'kentro@estia.example.com',
    address: 'Σκουφά 32, 106 73 Αθήνα',
    url: 'https://estia.example.com/kentro',
    municipalities: [],
  },
  {
    id: 2,
    name: 'Εστία Κηφισιά',
    phone: '+30 210 555 0200',
    email: 'kifisia@estia.example.com',
    address: 'Κασσαβέτη 14, 145 61 Κηφισιά',
    url: 'https://estia.example.com/kifisia',
    municipalities: ['Kifisia', 'Marousi', 'Chalandri', 'Filothei-Psychiko'],
  },
  {
    id: 3,
    name: 'Εστία Γλυφάδα',
    phone: '+30 210 555 0300',
    email: 'glyfada@estia.example.com',
    address: 'Λαζαράκη 21, 166 75 Γλυφάδα',
    url: 'https://estia.example.com/glyfada',
    municipalities: ['Glyfada', 'Vari-Voula-Vouliagmeni', 'Palaio Faliro', 'Nea Smyrni', 'Piraeus'],
  },
] as const

export const USERS = [
  { id: 1, name: 'Μαρία Αλεξίου', email: 'm.alexiou@example.com', store_id: 1 },
  { id: 2, name: 'Γιώργος Δημητρίου', email: 'g.dimitriou@example.com', store_id: 1 },
  { id: 3, name: 'Ελένη Κωστοπούλου', email: 'e.kostopoulou@example.com', store_id: 1 },
  { id: 4, name: 'Νίκος Σταυρίδης', email: 'n.stavridis@example.com', store_id: 1 },
  { id: 5, name: 'Κατερίνα Λαμπράκη', email: 'k.lampraki@example.com', store_id: 2 },
  { id: 6, name: 'Ανδρέας Φωτίου', email: 'a.fotiou@example.com', store_id: 2 },
  { id: 7, name: 'Σοφία Μαυρίδη', email: 's.mavridi@example.com', store_id: 3 },
  { id: 8, name: 'Πέτρος Ζαχαρίου', email: 'p.zachariou@example.com', store_id: 3 },
] as const

export const SPECIAL_LOCATIONS = [
  { id: 1, name: 'Μετρό Σύνταγμα', latitude: 37.9755, longitude: 23.7353 },
  { id: 2, name: 'Μετρό Συγγρού-Φιξ', latitude: 37.9641, longitude: 23.7265 },
  { id: 3, name: 'Μετρό Πανόρμου', latitude: 37.9931, longitude: 23.7635 },
  { id: 4, name: 'Ακρόπολη', latitude: 37.9715, longitude: 23.7257 },
  { id: 5, name: 'Πανεπιστημιούπολη Ζωγράφου', latitude: 37.9687, longitude: 23.7861 },
  { id: 6, name: 'Λιμάνι Πειραιά', latitude: 37.9445, longitude: 23.6395 },
  { id: 7, name: 'Μαρίνα Φλοίσβου', latitude: 37.9298, longitude: 23.6842 },
  { id: 8, name: 'Λίμνη Βουλιαγμένης', latitude: 37.8078, longitude: 23.7855 },
  { id: 9, name: 'Διεθνής Αερολιμένας Αθηνών', latitude: 37.9364, longitude: 23.9445 },
  { id: 10, name: 'Αριστοτέλειο Πανεπιστήμιο Θεσσαλονίκης', latitude: 40.6301, longitude: 22.9586 },
  { id: 11, name: 'Λευκός Πύργος', latitude: 40.6264, longitude: 22.9484 },
  { id: 12, name: 'Παλιό Λιμάνι Χανίων', latitude: 35.5189, longitude: 24.0174 },
] as const

export const LISTING_SOURCES = numbered(
  'Ιστοσελίδα',
  'Σύσταση πελάτη',
  'Ενοικιαστήριο',
  'Τηλεφωνική επικοινωνία',
  'Επίσκεψη στο γραφείο',
  'Συνεργάτης',
)
export const LISTING_TAGS = numbered(
  'Ευκαιρία',
  'Νέα καταχώριση',
  'Αποκλειστικότητα',
  'Μειωμένη τιμή',
  'Κατάλληλο για επένδυση',
  'Άμεσα διαθέσιμο',
  'Χωρίς μεσιτεία',
  'Θέλει φωτογραφίες',
)
export const EXTERNAL_LISTING_STATUSES = numbered(
  'Νέα',
  'Σε επικοινωνία',
  'Ραντεβού',
  'Ανατέθηκε',
  'Δεν ενδιαφέρεται',
)
export const EXTERNAL_LISTING_SOURCES = numbered(
  'Πύλη αγγελιών',
  'Εφημερίδα',
  'Άλλο γραφείο',
  'Κοινωνικό δίκτυο',
)
export const EXTERNAL_LISTING_TAGS = numbered('Ιδιώτης', 'Υπερτιμημένο', 'Κοντά σε δικό μας', 'Επανάληψη')
export const REQUEST_STATUSES = numbered('Ενεργή', 'Σε αναμονή', 'Ολοκληρωμένη', 'Ακυρωμένη')
export const REQUEST_SOURCES = numbered('Ιστοσελίδα', 'Τηλέφωνο', 'Σύσταση', 'Πύλη αγγελιών', 'Επίσκεψη')
export const REQUEST_TAGS = numbered('Επείγον', 'Μετρητά', 'Με δάνειο', 'Golden Visa', 'Επενδυτής')
export const CONTACT_SOURCES = numbered(
  'Ιστοσελίδα',
  'Τηλέφωνο',
  'Σύσταση',
  'Έκθεση ακινήτων',
  'Παλιός πελάτης',
)
export const CONTACT_TAGS = numbered(
  'Αγοραστής',
  'Ιδιοκτήτης',
  'Ενοικιαστής',
  'Επενδυτής',
  'Συνεργάτης',
  'VIP',
)
export const INCOME_OTHER_CATEGORIES = numbered(
  'Συμβουλευτικές υπηρεσίες',
  'Διαχείριση ακινήτων',
  'Εκπαίδευση',
)
export const EXPENSE_CATEGORIES = numbered(
  'Προμήθεια συνεργάτη',
  'Ενοίκιο γραφείου',
  'Διαφήμιση',
  'Λογαριασμοί',
  'Μισθοδοσία',
  'Εξοπλισμός',
)

export const CONTRACT_STATUSES = [
  ['Σε προετοιμασία', false, false, '#e2e8f0', '#1e293b'],
  ['Έλεγχος τίτλων', false, false, '#fde68a', '#78350f'],
  ['Προσύμφωνο', false, false, '#bfdbfe', '#1e3a8a'],
  ['Υπογράφηκε', true, false, '#bbf7d0', '#14532d'],
  ['Ακυρώθηκε', false, true, '#fecaca', '#7f1d1d'],
].map(([name, is_completed, is_cancelled, bg_color, text_color], index) => ({
  id: index + 1,
  name,
  is_completed,
  is_cancelled,
  bg_color,
  text_color,
}))

export const KNOWLEDGE_BASE_CATEGORIES = [
  ['Διαδικασίες', 'Πώς δουλεύουμε, βήμα βήμα', 'fa-list-check', '#2563eb', true],
  ['Νομικά', 'Τίτλοι, κτηματολόγιο, συμβόλαια', 'fa-scale-balanced', '#7c3aed', true],
  ['Φορολογία', 'Φόροι και τέλη μεταβίβασης', 'fa-coins', '#d97706', true],
  ['Πωλήσεις', 'Συμβουλές για υποδείξεις και διαπραγμάτευση', 'fa-handshake', '#059669', true],
  ['Αρχείο', null, 'fa-box-archive', '#6b7280', false],
].map(([name, description, icon, color, is_active], index) => ({
  id: index + 1,
  name,
  description,
  icon,
  color,
  is_active,
}))

/** Subtypes of the subcategories, with Greek and English names. */
const SUBTYPES: readonly [Subcategory, string, string][] = [
  ['apartment', 'Οροφοδιαμέρισμα', 'Floor apartment'],
  ['apartment', 'Γκαρσονιέρα', 'Studio'],
  ['apartment', 'Ρετιρέ', 'Penthouse'],
  ['apartment', 'Ημιυπόγειο διαμέρισμα', 'Semi-basement apartment'],
  ['maisonette', 'Ανεξάρτητη μεζονέτα', 'Independent maisonette'],
  ['maisonette', 'Μεζονέτα σε συγκρότημα', 'Maisonette in a complex'],
  ['detached', 'Ισόγεια μονοκατοικία', 'Single-storey house'],
  ['detached', 'Νεοκλασικό', 'Neoclassical house'],
  ['detached', 'Πέτρινη κατοικία', 'Stone house'],
  ['villa', 'Παραθεριστική βίλα', 'Holiday villa'],
  ['villa', 'Έπαυλη', 'Mansion'],
  ['loft', 'Βιομηχανικό λοφτ', 'Industrial loft'],
  ['residential_building', 'Πολυκατοικία', 'Block of flats'],
  ['residential_building', 'Διατηρητέο κτίριο', 'Listed building'],
  ['apartment_complex', 'Τουριστικές κατοικίες', 'Holiday flats'],
  ['farmhouse', 'Παραδοσιακή αγροικία', 'Traditional farmhouse'],
  ['houseboat', 'Πλωτό σπίτι', 'Floating house'],
  ['other_residential', 'Λυόμενο', 'Prefabricated house'],
  ['office', 'Γραφείο σε μέγαρο', 'Office in an office block'],
  ['office', 'Ιατρείο', 'Medical practice'],
  ['office', 'Χώρος συνεργασίας', 'Co-working space'],
  ['store', 'Κατάστημα λιανικής', 'Retail shop'],
  ['store', 'Κατάστημα εστίασης', 'Food and drink shop'],
  ['warehouse', 'Ψυκτική αποθήκη', 'Cold store'],
  ['warehouse', 'Κέντρο εφοδιασμού', 'Logistics centre'],
  ['hotel', 'Ξενοδοχείο πόλης', 'City hotel'],
  ['hotel', 'Ξενώνας', 'Guest house'],
  ['commercial_building', 'Κτίριο γραφείων', 'Office building'],
  ['hall', 'Αίθουσα εκδηλώσεων', 'Event hall'],
  ['hall', 'Γυμναστήριο', 'Gym'],
  ['industrial_space', 'Εργοστάσιο', 'Factory'],
  ['craft_space', 'Εργαστήριο', 'Workshop'],
  ['other_commercial', 'Σταθμός αυτοκινήτων', 'Car park'],
  ['plot', 'Οικόπεδο εντός σχεδίου', 'Plot inside the town plan'],
  ['plot', 'Γωνιακό οικόπεδο', 'Corner plot'],
  ['parcel', 'Ελαιώνας', 'Olive grove'],
  ['parcel', 'Αμπελώνας', 'Vineyard'],
  ['parcel', 'Βοσκότοπος', 'Pasture'],
  ['island', 'Ιδιωτικό νησί', 'Private island'],
  ['parking', 'Κλειστή θέση', 'Garage space'],
  ['parking', 'Θέση πιλοτής', 'Covered space'],
  ['business', 'Καφετέρια', 'Café'],
  ['business', 'Μίνι μάρκετ', 'Mini market'],
  ['air', 'Δικαίωμα υψούν', 'Right to build on top'],
  ['other', 'Περίπτερο', 'Kiosk'],
]

export const LISTING_SUBTYPES = SUBTYPES.map(([subcategory, el, en], index) => ({
  id: index + 1,
  subcategory,
  translations: [
    { language_id: 1, name: el },
    { language_id: 2, name: en },
  ],
}))

const PURPOSES = numbered('Κατοικία', 'Επένδυση', 'Εξοχικό', 'Επαγγελματική στέγη')

/** Custom fields of each resource; between them every type occurs. */
export const CUSTOM_FIELDS = [
  { id: 1, resource: 'listings', name: 'Αριθμός ΚΑΕΚ', type: 'text' },
  { id: 2, resource: 'listings', name: 'Ιστορικό ακινήτου', type: 'wysiwyg' },
  { id: 3, resource: 'listings', name: 'Κοινόχρηστα έτους', type: 'formatted_number' },
  { id: 4, resource: 'listings', name: 'Τοπογραφικό', type: 'file' },
  { id: 5, resource: 'listings', name: 'Έγγραφα', type: 'file_multi' },
  { id: 6, resource: 'listings', name: 'Κάτοψη', type: 'image' },
  { id: 7, resource: 'listings', name: 'Σκαριφήματα', type: 'image_multi' },
  { id: 8, resource: 'listings', name: 'Υπεύθυνος φωτογράφισης', type: 'user' },
  {
    id: 9,
    resource: 'listings',
    name: 'Κλειδιά',
    type: 'select',
    options: numbered('Στο γραφείο', 'Στον ιδιοκτήτη', 'Στον θυρωρό'),
  },
  { id: 21, resource: 'external-listings', name: 'Τελευταία επικοινωνία', type: 'datetime' },
  { id: 22, resource: 'external-listings', name: 'Σχόλια', type: 'textarea' },
  { id: 23, resource: 'external-listings', name: 'Δημοσιευμένη τιμή', type: 'currency' },
  { id: 24, resource: 'external-listings', name: 'Σύνδεσμος αγγελίας', type: 'url' },
  { id: 31, resource: 'requests', name: 'Σκοπός αγοράς', type: 'select', options: PURPOSES },
  {
    id: 32,
    resource: 'requests',
    name: 'Ημέρες επίσκεψης',
    type: 'select_multi',
    options: numbered('Δευτέρα', 'Τρίτη', 'Τετάρτη', 'Πέμπτη', 'Παρασκευή', 'Σάββατο'),
  },
  { id: 33, resource: 'requests', name: 'Προεγκεκριμένο δάνειο', type: 'checkbox' },
  { id: 34, resource: 'requests', name: 'Διαθέσιμο κεφάλαιο', type: 'currency' },
  { id: 35, resource: 'requests', name: 'Προθεσμία', type: 'date' },
  { id: 36, resource: 'requests', name: 'Δικηγόρος', type: 'contact' },
  { id: 37, resource: 'requests', name: 'Ομάδα', type: 'user_multi' },
  { id: 41, resource: 'contacts', name: 'ΑΦΜ', type: 'text' },
  { id: 42, resource: 'contacts', name: 'Ημερομηνία γέννησης', type: 'date' },
  { id: 43, resource: 'contacts', name: 'Δεύτερο τηλέφωνο', type: 'phone' },
  {
    id: 44,
    resource: 'contacts',
    name: 'Γλώσσα',
    type: 'select',
    options: numbered('Ελληνικά', 'Αγγλικά', 'Γαλλικά', 'Γερμανικά'),
  },
  {
    id: 45,
    resource: 'contacts',
    name: 'Ενδιαφέροντα',
    type: 'select_multi',
    options: numbered('Αγορά', 'Ενοικίαση', 'Επένδυση', 'Εξοχικό', 'Γη'),
  },
  { id: 46, resource: 'contacts', name: 'Ενημερωτικό δελτίο', type: 'checkbox' },
  { id: 47, resource: 'contacts', name: 'Ακίνητα στην κατοχή', type: 'number' },
  { id: 48, resource: 'contacts', name: 'Διεύθυνση αλληλογραφίας', type: 'address' },
  { id: 49, resource: 'contacts', name: 'Σύστησε', type: 'contact_multi' },
] as const

/** The settings of the agency. Those with an id are imported after the record that it refers to. */
export const SETTINGS = [
  { key: 'listings_max_resize', value: 1920 },
  { key: 'watermark', value: true },
  { key: 'default_language_id', value: 1 },
  { key: 'default_request_status_id', value: 1 },
  { key: 'default_external_listing_status_id', value: 1 },
  { key: 'default_contact_source_id', value: 1 },
  { key: 'default_user_id', value: 1 },
  { key: 'partner_commission_category_id', value: 1 },
] as const

function numbered(...names: string[]): Named[] {
  return names.map((name, index) => ({ id: index + 1, name }))
}
