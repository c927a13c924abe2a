/** Every text of the website, in Greek and in English. */

export const LANGUAGES = ['el', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
export const isLanguage = (text: string): text is Language => LANGUAGES.some((language) => language === text)

interface Table {
  [name: string]: readonly [el: unknown, en: unknown] | Table
}
type TextsOf<T> = {
  [Name in keyof T]: T[Name] extends readonly [infer Text, unknown] ? Text : TextsOf<T[Name]>
}

/** A table of pairs, and of groups of them, as the texts of each language. */
function inBoth<T extends Table>(table: T): Record<Language, TextsOf<T>> {
  return { el: textsOf(table, 0) as TextsOf<T>, en: textsOf(table, 1) as TextsOf<T> }
}

function textsOf(table: Table, index: 0 | 1): Record<string, unknown> {
  const isPair = (entry: Table[string]): entry is readonly [unknown, unknown] => Array.isArray(entry)
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      isPair(entry) ? entry[index] : textsOf(entry, index),
    ]),
  )
}

const LOW_FLOORS: Record<number, Record<Language, string>> = {
  [-0.5]: { el: 'Ημιυπόγειο', en: 'Semi-basement' },
  0: { el: 'Ισόγειο', en: 'Ground floor' },
  0.5: { el: 'Υπερυψωμένο ισόγειο', en: 'Raised ground floor' },
}

export const texts = inBoth({
  otherLanguage: ['English', 'Ελληνικά'],
  tagline: ['Σπίτια που αξίζουν μια επίσκεψη', 'Homes worth a visit'],
  intro: [
    'Μεσιτικό γραφείο στην Αθήνα. Διαλεγμένα ακίνητα, καθαρές τιμές, άνθρωποι που ξέρουν κάθε γειτονιά.',
    'An estate agency in Athens. Chosen properties, clear prices, people who know every neighbourhood.',
  ],
  siteDescription: [
    'Ακίνητα προς πώληση και ενοικίαση, με φωτογραφίες, κατόψεις και περιηγήσεις 360°.',
    'Properties for sale and to rent, with photos, floor plans and 360° tours.',
  ],
  skip: ['Στο περιεχόμενο', 'Skip to content'],
  menu: ['Κύριο μενού', 'Main menu'],
  footerMenu: ['Μενού υποσέλιδου', 'Footer menu'],
  buy: ['Αγορά', 'Buy'],
  rent: ['Ενοικίαση', 'Rent'],
  map: ['Χάρτης', 'Map'],
  list: ['Λίστα', 'List'],
  office: ['Γραφεία', 'Offices'],
  home: ['Αρχική', 'Home'],
  // Search
  search: ['Αναζήτηση', 'Search'],
  properties: ['Ακίνητα', 'Properties'],
  filters: ['Φίλτρα', 'Filters'],
  moreFilters: ['Περισσότερα φίλτρα', 'More filters'],
  text: ['Περιοχή, λέξη ή κωδικός', 'Area, word or code'],
  availability: ['Διάθεση', 'Offer'],
  category: ['Κατηγορία', 'Category'],
  subcategory: ['Είδος', 'Type'],
  area: ['Περιοχή', 'Area'],
  any: ['Όλα', 'Any'],
  priceFrom: ['Τιμή από (€)', 'Price from (€)'],
  priceTo: ['Τιμή έως (€)', 'Price to (€)'],
  sizeFrom: ['Εμβαδόν από (m²)', 'Size from (m²)'],
  withTour: ['Με περιήγηση 360°', 'With a 360° tour'],
  condition: ['Κατάσταση', 'Condition'],
  energyClass: ['Ενεργειακή κλάση', 'Energy class'],
  features: ['Χαρακτηριστικά', 'Features'],
  results: [
    (count: number): string => (count === 1 ? 'ακίνητο' : 'ακίνητα'),
    (count: number) => (count === 1 ? 'property' : 'properties'),
  ],
  noResults: ['Κανένα ακίνητο δεν ταιριάζει', 'No property matches'],
  noResultsHint: ['Αφαιρέστε ένα φίλτρο ή δείτε όλα τα ακίνητα.', 'Remove a filter, or see all properties.'],
  allProperties: ['Όλα τα ακίνητα', 'All properties'],
  sort: ['Ταξινόμηση', 'Order'],
  sorts: {
    newest: ['Νεότερα', 'Newest'],
    cheapest: ['Φθηνότερα', 'Cheapest'],
    dearest: ['Ακριβότερα', 'Dearest'],
    largest: ['Μεγαλύτερα', 'Largest'],
  },
  view: ['Προβολή', 'View'],
  pages: ['Σελίδες', 'Pages'],
  page: [
    (page: number, total: number) => `Σελίδα ${page} από ${total}`,
    (page: number, total: number) => `Page ${page} of ${total}`,
  ],
  previous: ['Προηγούμενη', 'Previous'],
  next: ['Επόμενη', 'Next'],
  // Home
  newest: ['Νέα στην αγορά', 'New on the market'],
  seeAll: ['Δείτε όλα', 'See all'],
  byArea: ['Ανά περιοχή', 'By area'],
  byKind: ['Ανά είδος', 'By type'],
  // Headings
  /** What is for sale where nobody has said which kind. */
  categories: {
    residential: ['Κατοικία', 'Home'],
    commercial: ['Επαγγελματικός χώρος', 'Commercial space'],
    land: ['Γη', 'Land'],
    other: ['Ακίνητο', 'Property'],
  },
  manyCategories: {
    residential: ['Κατοικίες', 'Homes'],
    commercial: ['Επαγγελματικοί χώροι', 'Commercial spaces'],
    land: ['Οικόπεδα και γη', 'Plots and land'],
    other: ['Άλλα ακίνητα', 'Other properties'],
  },
  offered: {
    sale: ['προς πώληση', 'for sale'],
    rent: ['προς ενοικίαση', 'to rent'],
    auction: ['σε πλειστηριασμό', 'at auction'],
    shortterm: ['για βραχυχρόνια μίσθωση', 'for short stays'],
  },
  inArea: [
    (what: string, area: string) => `${what}, ${area}`,
    (what: string, area: string) => `${what} in ${area}`,
  ],
  // Listing
  code: ['Κωδικός', 'Code'],
  priceOnRequest: ['Τιμή κατόπιν επικοινωνίας', 'Price on request'],
  negotiable: ['Συζητήσιμη', 'Negotiable'],
  perSquareMetre: ['ανά m²', 'per m²'],
  size: ['Εμβαδόν', 'Size'],
  land: ['Οικόπεδο', 'Plot'],
  bedrooms: ['Υπνοδωμάτια', 'Bedrooms'],
  bedroomsShort: ['υπν.', 'bed'],
  bathrooms: ['Μπάνια', 'Bathrooms'],
  bathroomsShort: ['μπ.', 'bath'],
  floor: ['Όροφος', 'Floor'],
  floors: [
    (floor: number) =>
      floor < -0.5 ? 'Υπόγειο' : (LOW_FLOORS[floor]?.el ?? (floor % 1 ? 'Ημιώροφος' : `${floor}ος`)),
    (floor: number) =>
      floor < -0.5 ? 'Basement' : (LOW_FLOORS[floor]?.en ?? (floor % 1 ? 'Mezzanine' : ordinal(floor))),
  ],
  year: ['Έτος κατασκευής', 'Built in'],
  renovated: ['Ανακαίνιση', 'Renovated in'],
  heating: ['Θέρμανση', 'Heating'],
  heatingSource: ['Πηγή θέρμανσης', 'Heated by'],
  orientation: ['Προσανατολισμός', 'Faces'],
  parking: ['Θέσεις στάθμευσης', 'Parking spaces'],
  storage: ['Αποθήκη', 'Storage room'],
  balcony: ['Μπαλκόνια', 'Balconies'],
  garden: ['Κήπος', 'Garden'],
  maintenance: ['Κοινόχρηστα τον μήνα', 'Service charge a month'],
  availableFrom: ['Διαθέσιμο από', 'Available from'],
  seaDistance: ['Απόσταση από θάλασσα', 'Distance to the sea'],
  metres: ['μ.', 'm'],
  listed: ['Καταχωρίστηκε', 'Listed on'],
  details: ['Στοιχεία', 'Details'],
  description: ['Περιγραφή', 'Description'],
  photos: ['Φωτογραφίες', 'Photos'],
  photo: [
    (number: number, total: number) => `Φωτογραφία ${number} από ${total}`,
    (number: number, total: number) => `Photo ${number} of ${total}`,
  ],
  morePhotos: [(count: number) => `Ακόμη ${count} φωτογραφίες`, (count: number) => `${count} more photos`],
  noPhoto: ['Χωρίς φωτογραφία', 'No photo'],
  floorPlans: ['Κατόψεις', 'Floor plans'],
  floorPlan: ['Κάτοψη', 'Floor plan'],
  tour: ['Περιήγηση 360°', '360° tour'],
  watchVideo: ['Δείτε το βίντεο', 'Watch the video'],
  virtualTour: ['Εικονική περιήγηση', 'Virtual tour'],
  media: ['Βίντεο και περιήγηση', 'Video and tour'],
  onSite: [(host: string) => `στο ${host}`, (host: string) => `on ${host}`],
  auctionDate: ['Ημερομηνία πλειστηριασμού', 'Date of the auction'],
  auctionCode: ['Κωδικός πλειστηριασμού', 'Auction code'],
  auctionPage: ['Σελίδα πλειστηριασμού', 'Auction page'],
  guests: ['Επισκέπτες', 'Guests'],
  minStay: ['Ελάχιστη διαμονή', 'Shortest stay'],
  location: ['Τοποθεσία', 'Location'],
  precision: {
    exact: ['Το σημείο στον χάρτη είναι ακριβές.', 'The point on the map is exact.'],
    circle: [
      'Ο κύκλος δείχνει κατά προσέγγιση τη θέση. Για την ακριβή διεύθυνση μιλήστε μας.',
      'The circle shows roughly where it is. Ask us for the exact address.',
    ],
    area: ['Για την ακριβή θέση μιλήστε με το γραφείο.', 'Ask the office for the exact location.'],
  },
  openMap: ['Άνοιγμα στο OpenStreetMap', 'Open in OpenStreetMap'],
  similar: ['Παρόμοια ακίνητα', 'Similar properties'],
  // Map
  mapOf: ['Χάρτης των ακινήτων', 'Map of the properties'],
  mapHint: ['Τα ίδια ακίνητα βρίσκονται και στη λίστα.', 'The list has the same properties.'],
  plainMap: ['Απλός χάρτης χωρίς δρόμους.', 'A plain map without streets.'],
  needsScript: [
    'Ο χάρτης χρειάζεται JavaScript. Όλα τα ακίνητα είναι στη λίστα.',
    'The map needs JavaScript. The list has every property.',
  ],
  zoomIn: ['Μεγέθυνση', 'Zoom in'],
  zoomOut: ['Σμίκρυνση', 'Zoom out'],
  pinOne: ['ακίνητο', 'property'],
  pinMany: ['ακίνητα εδώ: μεγέθυνση', 'properties here: zoom in'],
  // Enquiries
  ask: ['Ενδιαφέρομαι', 'Ask about this property'],
  askOffice: ['Γράψτε μας', 'Write to us'],
  askText: ['Στείλτε μήνυμα και σας καλούμε εμείς.', 'Send a message, and we will call you.'],
  askAbout: ['Θέμα', 'About'],
  enquiryTypes: {
    information: ['Πληροφορίες', 'Information'],
    viewing: ['Επίσκεψη', 'Viewing'],
    valuation: ['Εκτίμηση', 'Valuation'],
  },
  enquiryFields: {
    first_name: ['Όνομα', 'First name'],
    last_name: ['Επώνυμο', 'Last name'],
    email: ['E-mail', 'E-mail'],
    phone: ['Τηλέφωνο', 'Phone'],
    message: ['Μήνυμα', 'Message'],
  },
  oneOfThem: ['E-mail ή τηλέφωνο: το ένα αρκεί.', 'E-mail or phone: one is enough.'],
  dates: ['Πότε σας βολεύει;', 'When would suit you?'],
  date: [(number: number) => `${number}η επιλογή`, (number: number) => `Choice ${number}`],
  optional: ['προαιρετικό', 'optional'],
  consent: [
    'Συμφωνώ να χρησιμοποιηθούν τα στοιχεία μου για να μου απαντήσετε.',
    'I agree that you use my details to reply to me.',
  ],
  consentMore: ['Πώς τα προστατεύουμε', 'How we protect them'],
  marketing: ['Θέλω να μαθαίνω για νέα ακίνητα.', 'I would like to hear of new properties.'],
  send: ['Αποστολή', 'Send'],
  leaveEmpty: ['Αφήστε το κενό', 'Leave this empty'],
  sentTitle: ['Ευχαριστούμε', 'Thank you'],
  sentText: [
    'Το μήνυμά σας έφτασε. Θα σας απαντήσουμε το συντομότερο.',
    'We have your message, and will reply as soon as we can.',
  ],
  reference: ['Αριθμός μηνύματος', 'Reference'],
  backToListing: ['Πίσω στο ακίνητο', 'Back to the property'],
  formProblems: [
    'Το μήνυμα δεν στάλθηκε. Διορθώστε τα σημειωμένα πεδία.',
    'The message was not sent. Please correct the marked fields.',
  ],
  errors: {
    required: ['Συμπληρώστε αυτό το πεδίο.', 'Please fill in this field.'],
    contact: ['Δώστε e-mail ή τηλέφωνο.', 'Please give an e-mail or a phone number.'],
    email: ['Δώστε ένα e-mail όπως onoma@example.com.', 'Please give an e-mail such as name@example.com.'],
    phone: ['Δώστε έναν αριθμό τηλεφώνου.', 'Please give a phone number.'],
    long: ['Το κείμενο είναι πολύ μεγάλο.', 'The text is too long.'],
    consent: [
      'Χρειαζόμαστε τη συγκατάθεσή σας για να σας απαντήσουμε.',
      'We need your consent to reply to you.',
    ],
    dates: [
      'Δώστε ημέρες και ώρες μέσα στους επόμενους δώδεκα μήνες.',
      'Please give days and times within the next twelve months.',
    ],
    refused: ['Ελέγξτε αυτό το πεδίο.', 'Please check this field.'],
  },
  sendFailed: [
    'Το μήνυμα δεν στάλθηκε. Δοκιμάστε ξανά σε λίγο ή καλέστε μας.',
    'The message was not sent. Please try again shortly, or call us.',
  ],
  sendLimit: [
    'Στείλατε πολλά μηνύματα. Δοκιμάστε ξανά σε ένα λεπτό.',
    'You have sent many messages. Please try again in a minute.',
  ],
  // Offices
  officeTitle: ['Τα γραφεία μας', 'Our offices'],
  officeText: ['Περάστε από κοντά, τηλεφωνήστε ή γράψτε μας.', 'Come by, call or write to us.'],
  theirProperties: ['Τα ακίνητά του', 'Its properties'],
  // Errors
  notFoundTitle: ['Η σελίδα δεν βρέθηκε', 'Page not found'],
  notFoundText: ['Ίσως το ακίνητο δεν διατίθεται πια.', 'The property may no longer be available.'],
  unavailableTitle: ['Επιστρέφουμε αμέσως', 'Back in a moment'],
  unavailableText: [
    'Τα ακίνητα δεν είναι διαθέσιμα αυτή τη στιγμή. Δοκιμάστε ξανά σε λίγο.',
    'The properties are not available right now. Please try again shortly.',
  ],
  tooManyTitle: ['Ένα λεπτό, παρακαλώ', 'One moment, please'],
  tooManyText: [
    'Άνοιξαν πολλές σελίδες από τη σύνδεσή σας σε λίγη ώρα. Περιμένετε ένα λεπτό και δοκιμάστε ξανά.',
    'Many pages were opened from your connection in a short time. Please wait a minute, and try again.',
  ],
  tryAgain: ['Δοκιμή ξανά', 'Try again'],
  privacyTitle: ['Απόρρητο', 'Privacy'],
  privacyText: [
    [
      [
        'Τι κρατάμε',
        'Όταν μας γράφετε, κρατάμε το όνομα, το e-mail ή το τηλέφωνο και το μήνυμά σας, για να σας απαντήσουμε.',
      ],
      [
        'Για πόσο',
        'Τα μηνύματα που έχουν κλείσει διαγράφονται μετά από δύο χρόνια, τα ανεπιθύμητα μετά από τρεις μήνες.',
      ],
      ['Cookies', 'Η ιστοσελίδα δεν χρησιμοποιεί cookies και δεν παρακολουθεί τους επισκέπτες της.'],
      [
        'Τα δικαιώματά σας',
        'Μπορείτε να ζητήσετε αντίγραφο, διόρθωση ή διαγραφή των στοιχείων σας από το γραφείο μας.',
      ],
    ],
    [
      [
        'What we keep',
        'When you write to us, we keep your name, e-mail or phone and your message, to reply to you.',
      ],
      ['For how long', 'Closed messages are deleted after two years, unwanted ones after three months.'],
      ['Cookies', 'The website uses no cookies, and does not track its visitors.'],
      ['Your rights', 'Ask our office for a copy, a correction or the deletion of your details.'],
    ],
  ],
})

/** "1st", "2nd", "13th". */
function ordinal(number: number): string {
  const suffixes: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' }
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(number)
  return `${number}${suffixes[rule] ?? 'th'}`
}

export type Texts = typeof texts.el
