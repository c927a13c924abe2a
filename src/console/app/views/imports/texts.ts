/** The words of the import, in both languages. */
import { useConsole } from '../../state.ts'
import type { Language } from '../../texts.ts'
import { fieldName } from '../../words.ts'

const EN = {
  hint: 'A table of listings (CSV or TSV), or one JSON object a line (.ndjson), as the export writes it.',
  fetchPhotos: 'Download the photos of listings from the addresses in the file',
  strict: 'Refuse what could not be created by hand either, instead of warning of it',
  strictTable: 'Tables are imported strictly: what could not be created by hand is refused.',
  ignored: 'Ignored',
  unknownFields: 'Unknown fields, or texts of erased persons',
  broken: 'It broke off.',
  doneUntil: 'Looked at up to line',
  nothingDone: 'No line has been looked at yet.',
  goOn: 'Go on from line',
  goOnHint:
    'The lines above are done, and their figures are below. What was just being sent may be stored already; sending it again changes nothing.',
  readAs: 'Read as',
  rows: 'rows',
  encoding: 'Encoding',
  delimiter: 'Cells are separated by',
  tabs: 'tabs',
  columns: 'Columns',
  column: 'Column',
  example: 'First cell',
  goesTo: 'Goes to',
  notImported: '(not imported)',
  notTaken: 'Not imported:',
  decimal: 'Decimal mark',
  order: 'Dates',
  meaning: 'What the cells mean',
  everyRecord: 'What every record gets',
  skipLines: 'Lines that are no records, such as totals',
  firstId: 'The records are numbered from',
  firstIdHint: 'Listings that have these numbers are replaced',
  nothing: '(nothing)',
  numberHint: 'A number, or - for nothing',
  placeHint: 'A place from the list, or - for nothing',
  problems: 'What cannot be read yet',
  noProblems: 'Every cell can be read.',
  preview: 'The first records',
  saveMap: 'Save this map',
  loadMap: 'Load a map',
  mapLoaded: 'The map was loaded.',
  noMap: 'This file is no map.',
  noText: 'This file is neither a table nor lines. In a spreadsheet program, save it as CSV (UTF-8).',
  choose: 'Choose …',
}
type ImportTexts = typeof EN

const EL: ImportTexts = {
  hint: 'Πίνακας ακινήτων (CSV ή TSV), ή ένα αντικείμενο JSON ανά γραμμή (.ndjson), όπως το γράφει η εξαγωγή.',
  fetchPhotos: 'Λήψη των φωτογραφιών των ακινήτων από τις διευθύνσεις του αρχείου',
  strict: 'Να απορρίπτεται ό,τι δεν θα μπορούσε να καταχωριστεί ούτε με το χέρι, αντί για προειδοποίηση',
  strictTable: 'Στους πίνακες ο έλεγχος είναι αυστηρός: ό,τι δεν καταχωρίζεται με το χέρι απορρίπτεται.',
  ignored: 'Αγνοήθηκαν',
  unknownFields: 'Άγνωστα πεδία ή κείμενα προσώπων που διαγράφηκαν',
  broken: 'Η εισαγωγή διακόπηκε.',
  doneUntil: 'Ελέγχθηκε ως τη γραμμή',
  nothingDone: 'Δεν ελέγχθηκε ακόμη καμία γραμμή.',
  goOn: 'Συνέχεια από τη γραμμή',
  goOnHint:
    'Οι προηγούμενες γραμμές ολοκληρώθηκαν και μετρούν παρακάτω. Όσες στέλνονταν ίσως έχουν αποθηκευτεί· αν σταλούν ξανά, δεν αλλάζει τίποτα.',
  readAs: 'Διαβάστηκε ως',
  rows: 'γραμμές',
  encoding: 'Κωδικοποίηση',
  delimiter: 'Τα κελιά χωρίζονται με',
  tabs: 'στηλοθέτες',
  columns: 'Στήλες',
  column: 'Στήλη',
  example: 'Πρώτο κελί',
  goesTo: 'Γίνεται',
  notImported: '(δεν εισάγεται)',
  notTaken: 'Δεν εισάγονται:',
  decimal: 'Υποδιαστολή',
  order: 'Ημερομηνίες',
  meaning: 'Τι σημαίνουν τα κελιά',
  everyRecord: 'Τι παίρνει κάθε εγγραφή',
  skipLines: 'Γραμμές που δεν είναι εγγραφές, π.χ. σύνολα',
  firstId: 'Οι εγγραφές αριθμούνται από',
  firstIdHint: 'Ακίνητα που έχουν αυτούς τους αριθμούς αντικαθίστανται',
  nothing: '(κενό)',
  numberHint: 'Αριθμός, ή - για κενό',
  placeHint: 'Περιοχή από τη λίστα, ή - για κενό',
  problems: 'Τι δεν διαβάζεται ακόμη',
  noProblems: 'Όλα τα κελιά διαβάζονται.',
  preview: 'Οι πρώτες εγγραφές',
  saveMap: 'Αποθήκευση της αντιστοίχισης',
  loadMap: 'Άνοιγμα αντιστοίχισης',
  mapLoaded: 'Η αντιστοίχιση φορτώθηκε.',
  noMap: 'Το αρχείο δεν είναι αντιστοίχιση στηλών.',
  noText:
    'Το αρχείο δεν διαβάζεται εδώ. Αν είναι υπολογιστικό φύλλο (π.χ. Excel), αποθηκεύστε το ως CSV (UTF-8).',
  choose: 'Επιλέξτε …',
}

const TEXTS: Record<Language, ImportTexts> = { en: EN, el: EL }

export function useImportTexts(): ImportTexts {
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
