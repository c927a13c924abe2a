/** The words of the import, in both languages. */
import { inBoth } from '../../../../catalogue/bilingual.ts'
import { useConsole } from '../../state.ts'
import type { Language } from '../../texts.ts'
import { fieldName } from '../../words.ts'

const TEXTS = inBoth({
  hint: [
    'Πίνακας ακινήτων (CSV ή TSV), ή ένα αντικείμενο JSON ανά γραμμή (.ndjson), όπως το γράφει η εξαγωγή.',
    'A table of listings (CSV or TSV), or one JSON object a line (.ndjson), as the export writes it.',
  ],
  fetchPhotos: [
    'Λήψη των φωτογραφιών των ακινήτων από τις διευθύνσεις του αρχείου',
    'Download the photos of listings from the addresses in the file',
  ],
  strict: [
    'Να απορρίπτεται ό,τι δεν θα μπορούσε να καταχωριστεί ούτε με το χέρι, αντί για προειδοποίηση',
    'Refuse what could not be created by hand either, instead of warning of it',
  ],
  strictTable: [
    'Στους πίνακες ο έλεγχος είναι αυστηρός: ό,τι δεν καταχωρίζεται με το χέρι απορρίπτεται.',
    'Tables are imported strictly: what could not be created by hand is refused.',
  ],
  ignored: ['Αγνοήθηκαν', 'Ignored'],
  unknownFields: [
    'Άγνωστα πεδία ή κείμενα προσώπων που διαγράφηκαν',
    'Unknown fields, or texts of erased persons',
  ],
  broken: ['Η εισαγωγή διακόπηκε.', 'It broke off.'],
  doneUntil: ['Ελέγχθηκε ως τη γραμμή', 'Looked at up to line'],
  nothingDone: ['Δεν ελέγχθηκε ακόμη καμία γραμμή.', 'No line has been looked at yet.'],
  goOn: ['Συνέχεια από τη γραμμή', 'Go on from line'],
  goOnHint: [
    'Οι προηγούμενες γραμμές ολοκληρώθηκαν και μετρούν παρακάτω. Όσες στέλνονταν ίσως έχουν αποθηκευτεί· αν σταλούν ξανά, δεν αλλάζει τίποτα.',
    'The lines above are done, and their figures are below. What was just being sent may be stored already; sending it again changes nothing.',
  ],
  readAs: ['Διαβάστηκε ως', 'Read as'],
  rows: ['γραμμές', 'rows'],
  encoding: ['Κωδικοποίηση', 'Encoding'],
  delimiter: ['Τα κελιά χωρίζονται με', 'Cells are separated by'],
  tabs: ['στηλοθέτες', 'tabs'],
  columns: ['Στήλες', 'Columns'],
  column: ['Στήλη', 'Column'],
  example: ['Πρώτο κελί', 'First cell'],
  goesTo: ['Γίνεται', 'Goes to'],
  notImported: ['(δεν εισάγεται)', '(not imported)'],
  notTaken: ['Δεν εισάγονται:', 'Not imported:'],
  decimal: ['Υποδιαστολή', 'Decimal mark'],
  order: ['Ημερομηνίες', 'Dates'],
  meaning: ['Τι σημαίνουν τα κελιά', 'What the cells mean'],
  everyRecord: ['Τι παίρνει κάθε εγγραφή', 'What every record gets'],
  skipLines: ['Γραμμές που δεν είναι εγγραφές, π.χ. σύνολα', 'Lines that are no records, such as totals'],
  firstId: ['Οι εγγραφές αριθμούνται από', 'The records are numbered from'],
  firstIdHint: [
    'Ακίνητα που έχουν αυτούς τους αριθμούς αντικαθίστανται',
    'Listings that have these numbers are replaced',
  ],
  nothing: ['(κενό)', '(nothing)'],
  numberHint: ['Αριθμός, ή - για κενό', 'A number, or - for nothing'],
  placeHint: ['Περιοχή από τη λίστα, ή - για κενό', 'A place from the list, or - for nothing'],
  problems: ['Τι δεν διαβάζεται ακόμη', 'What cannot be read yet'],
  noProblems: ['Όλα τα κελιά διαβάζονται.', 'Every cell can be read.'],
  preview: ['Οι πρώτες εγγραφές', 'The first records'],
  saveMap: ['Αποθήκευση της αντιστοίχισης', 'Save this map'],
  loadMap: ['Άνοιγμα αντιστοίχισης', 'Load a map'],
  mapLoaded: ['Η αντιστοίχιση φορτώθηκε.', 'The map was loaded.'],
  noMap: ['Το αρχείο δεν είναι αντιστοίχιση στηλών.', 'This file is no map.'],
  noText: [
    'Το αρχείο δεν διαβάζεται εδώ. Αν είναι υπολογιστικό φύλλο (π.χ. Excel), αποθηκεύστε το ως CSV (UTF-8).',
    'This file is neither a table nor lines. In a spreadsheet program, save it as CSV (UTF-8).',
  ],
  choose: ['Επιλέξτε …', 'Choose …'],
})

export function useImportTexts() {
  return TEXTS[useConsole().language]
}

/** The sentences about tables, as far as they do not contain a cell. */
const PROBLEMS: readonly (readonly [english: RegExp, greek: string])[] = [
  [/is not a number.*/, 'δεν είναι αριθμός: γράψτε τι σημαίνει στο «τι σημαίνουν τα κελιά»'],
  [/is not a whole number$/, 'δεν είναι ακέραιος αριθμός'],
  [/can be read in two ways.*/, 'διαβάζεται με δύο τρόπους: επιλέξτε υποδιαστολή στη στήλη'],
  [/does not fit the decimal mark.*/, 'δεν ταιριάζει με την υποδιαστολή της στήλης'],
  [
    /has no id: is it a total\?.*/,
    'χωρίς αριθμό: αν είναι σύνολο, γράψτε τη γραμμή στις «γραμμές που δεν είναι εγγραφές»',
  ],
  [/has no id: name it.*/, 'δεν βρέθηκε: δώστε τη σημασία του στο «τι σημαίνουν τα κελιά»'],
  [/has the id of line/, 'έχει τον αριθμό της γραμμής'],
  [/is no date.*/, 'δεν είναι ημερομηνία· ελέγξτε τη σειρά ημέρας και μήνα της στήλης'],
  [/is a formula.*/, 'είναι τύπος ή σφάλμα του υπολογιστικού φύλλου: αποθηκεύστε τις τιμές του'],
  [/is no http or https address of a photo$/, 'δεν είναι διεύθυνση http ή https φωτογραφίας'],
  [/is a second .*/, 'υπάρχει και σε άλλη στήλη με άλλη τιμή'],
  [/^The file is no text.*/, 'Το αρχείο δεν είναι κείμενο: αποθηκεύστε τον πίνακα ως CSV.'],
  [/is neither yes nor no.*/, 'δεν είναι ούτε ναι ούτε όχι'],
  [/is not in "values".*/, 'δεν έχει σημασία ακόμη: δώστε την στο «τι σημαίνουν τα κελιά»'],
  [
    /has ("[^"]*"), which is not in "values".*/,
    'έχει $1 χωρίς σημασία: δώστε την στο «τι σημαίνουν τα κελιά»',
  ],
  [/has (\d+) cells, more than headings$/, 'έχει $1 κελιά, περισσότερα από τις επικεφαλίδες'],
  [/^The headings are not those of the map.*/, 'Οι επικεφαλίδες δεν είναι της αντιστοίχισης'],
  [/^"([^"]*)" of the map is no field$/, 'Το «$1» της αντιστοίχισης δεν είναι πεδίο'],
  [/^Quoted field unterminated$/, 'Ένα εισαγωγικό (") ανοίγει και δεν κλείνει'],
  [/^Trailing quote.*/, 'Ένα εισαγωγικό (") κλείνει μέσα σε κελί'],
  [/^The file is empty: it has no headings\.$/, 'Το αρχείο είναι κενό: δεν έχει επικεφαλίδες.'],
  [/^The file is not in (\S+):.*/, 'Το αρχείο δεν έχει κωδικοποίηση $1: επιλέξτε άλλη.'],
  [/^The file is too large.*/, 'Το αρχείο είναι πολύ μεγάλο: ως 50 MB.'],
]

/** A sentence about a table, in the language of the page. */
export function problemText(message: string, language: Language): string {
  if (language === 'en')
    return message
      .replace(/: set "decimal" of the column.*/, ': choose the decimal mark of the column')
      .replace(/: name it in "values".*|"values" of the column in the map/, 'what the cells mean')
      .replace(
        /^"([^"]*)" in "every" of the map has no value$/,
        (_, field: string) => `Choose ${fieldName(field, language)} in what every record gets`,
      )
      .replace(/^Quoted field unterminated$/, 'A quotation mark opens and does not close')
  const field = /^"([^"]*)" in "every" of the map has no value$/.exec(message)?.[1]
  if (field) return `Επιλέξτε «${fieldName(field, language)}» στο «τι παίρνει κάθε εγγραφή»`
  const known = PROBLEMS.find(([english]) => english.test(message))
  return known ? message.replace(known[0], known[1]) : message
}
