/** What a place is like: it decides which properties stand there and how far the sea is. */
export type Character = 'urban' | 'suburb' | 'coast' | 'resort' | 'rural' | 'industrial'

/** A row of the `locations` import: region (1), municipality (2) or neighbourhood (3). */
export interface DemoPlace {
  readonly id: number
  readonly level: 1 | 2 | 3
  readonly parent_id: number | null
  readonly name_el: string
  readonly name_en: string
  readonly full_name_el: string
  readonly full_name_en: string
}

/** A neighbourhood with what the demo listings need to know of it. */
export interface Neighbourhood {
  readonly place: DemoPlace
  readonly municipality: DemoPlace
  readonly region: DemoPlace
  readonly latitude: number
  readonly longitude: number
  readonly postal_code: string
  /** Asking price of a flat in good condition, euro per square metre. */
  readonly price_per_sqm: number
  readonly character: Character
  readonly streets: readonly string[]
}

/**
 * Region, municipality and neighbourhood by indentation, in Greek and English. A neighbourhood also has:
 * latitude longitude | postal code | euro per square metre | character | streets.
 */
const TREE = `
Αττική | Attica
  Αθήνα | Athens
    Κολωνάκι | Kolonaki | 37.9785 23.7430 | 10673 | 4800 | urban | Σκουφά, Σόλωνος, Αναγνωστοπούλου, Πινδάρου
    Πλάκα | Plaka | 37.9725 23.7300 | 10558 | 4600 | urban | Αδριανού, Κυδαθηναίων, Λυσικράτους
    Κουκάκι | Koukaki | 37.9640 23.7240 | 11741 | 3600 | urban | Βεΐκου, Δημητρακοπούλου, Φαλήρου, Δράκου
    Μετς | Mets | 37.9655 23.7370 | 11636 | 3500 | urban | Μάρκου Μουσούρου, Αναπαύσεως, Τριβωνιανού
    Παγκράτι | Pangrati | 37.9680 23.7480 | 11635 | 3100 | urban | Υμηττού, Φρύνης, Ευφρονίου, Αρχελάου
    Εξάρχεια | Exarcheia | 37.9860 23.7345 | 10681 | 2700 | urban | Θεμιστοκλέους, Εμμανουήλ Μπενάκη, Ζωοδόχου Πηγής
    Κυψέλη | Kypseli | 37.9985 23.7395 | 11362 | 2000 | urban | Φωκίωνος Νέγρη, Αγίας Ζώνης, Επτανήσου
    Αμπελόκηποι | Ampelokipoi | 37.9875 23.7610 | 11523 | 2700 | urban | Πανόρμου, Λαρίσης, Σεβαστουπόλεως
    Γκύζη | Gkyzi | 37.9925 23.7480 | 11475 | 2100 | urban | Γκύζη, Μομφεράτου, Κόνιαρη
    Πετράλωνα | Petralona | 37.9680 23.7110 | 11853 | 2800 | urban | Τρώων, Κυδαντιδών, Κειριαδών
    Νέος Κόσμος | Neos Kosmos | 37.9560 23.7290 | 11743 | 2600 | urban | Φραντζή, Βούρβαχη, Καλλιρρόης
    Πατήσια | Patisia | 38.0130 23.7340 | 11144 | 1700 | urban | Πατησίων, Αχαρνών, Χαλκίδος
    Ιλίσια | Ilisia | 37.9750 23.7620 | 15771 | 2900 | urban | Ούλωφ Πάλμε, Παπαδιαμαντοπούλου, Ξενίας
  Γλυφάδα | Glyfada
    Κέντρο Γλυφάδας | Glyfada Centre | 37.8640 23.7560 | 16675 | 4500 | coast | Λαζαράκη, Κύπρου, Αγγέλου Μεταξά
    Γκολφ | Golf | 37.8745 23.7590 | 16674 | 4700 | suburb | Κωνσταντινουπόλεως, Πανδώρας, Προμηθέως
    Άνω Γλυφάδα | Ano Glyfada | 37.8790 23.7720 | 16561 | 3700 | suburb | Λεωφόρος Γούναρη, Βουλιαγμένης, Σαλαμίνος
    Τερψιθέα | Terpsithea | 37.8880 23.7790 | 16562 | 3300 | suburb | Ηλιουπόλεως, Κερκύρας, Σάμου
  Βάρη-Βούλα-Βουλιαγμένη | Vari-Voula-Vouliagmeni
    Βούλα | Voula | 37.8475 23.7690 | 16673 | 5200 | coast | Σωκράτους, Αγίου Ιωάννου, Βασιλέως Παύλου
    Πανόραμα Βούλας | Panorama Voulas | 37.8560 23.7900 | 16673 | 4900 | suburb | Ορφέως, Ηρακλείδων, Δήμητρος
    Βουλιαγμένη | Vouliagmeni | 37.8130 23.7800 | 16671 | 7200 | coast | Απόλλωνος, Αρμονίας, Λητούς
    Βάρκιζα | Varkiza | 37.8215 23.8030 | 16672 | 4100 | coast | Αφροδίτης, Ποσειδώνος, Δήμητρος
    Βάρη | Vari | 37.8330 23.8080 | 16672 | 3300 | suburb | Βάρης-Κορωπίου, Ευελπίδων, Κρήτης
  Παλαιό Φάληρο | Palaio Faliro
    Αμφιθέα | Amfithea | 37.9320 23.7080 | 17564 | 3000 | urban | Αμφιθέας, Αρτέμιδος, Πρωτέως
    Φλοίσβος | Flisvos | 37.9270 23.6920 | 17561 | 4000 | coast | Ναϊάδων, Τρίτωνος, Αγίου Αλεξάνδρου
    Κοψαχείλα | Kopsacheila | 37.9195 23.7080 | 17563 | 3100 | urban | Ζησιμοπούλου, Πικροδάφνης, Μουσών
  Νέα Σμύρνη | Nea Smyrni
    Κέντρο Νέας Σμύρνης | Nea Smyrni Centre | 37.9440 23.7140 | 17121 | 3200 | urban | Ελευθερίου Βενιζέλου, Ομήρου, Αιγαίου
    Άνω Νέα Σμύρνη | Ano Nea Smyrni | 37.9480 23.7240 | 17124 | 2900 | urban | Αγίας Φωτεινής, Ευξείνου Πόντου, Κρήνης
  Κηφισιά | Kifisia
    Κεφαλάρι | Kefalari | 38.0810 23.8180 | 14562 | 5000 | suburb | Κολοκοτρώνη, Χαριλάου Τρικούπη, Πεντέλης
    Κέντρο Κηφισιάς | Kifisia Centre | 38.0745 23.8120 | 14561 | 4300 | suburb | Κασσαβέτη, Λεβίδου, Κυριαζή
    Πολιτεία | Politeia | 38.0960 23.8330 | 14563 | 4400 | suburb | Λεωφόρος Πολιτείας, Ιπποκράτους, Πλάτωνος
    Νέα Ερυθραία | Nea Erythraia | 38.0920 23.8170 | 14671 | 3500 | suburb | Ελευθερίου Βενιζέλου, Τατοΐου, Σωκράτους
    Εκάλη | Ekali | 38.1060 23.8330 | 14578 | 5300 | suburb | Λεωφόρος Θησέως, Ακτίνιδων, Φιλύρας
  Μαρούσι | Marousi
    Κέντρο Αμαρουσίου | Marousi Centre | 38.0510 23.8060 | 15124 | 3000 | suburb | Βασιλίσσης Σοφίας, Ερμού, Διονύσου
    Παράδεισος | Paradeisos | 38.0400 23.8190 | 15125 | 3300 | suburb | Αμαρουσίου-Χαλανδρίου, Φραγκοκκλησιάς, Γράμμου
    Ψαλίδι | Psalidi | 38.0380 23.7970 | 15126 | 3100 | suburb | Σπύρου Λούη, Νερατζιωτίσσης, Κύμης
  Χαλάνδρι | Chalandri
    Κέντρο Χαλανδρίου | Chalandri Centre | 38.0215 23.7985 | 15234 | 3300 | suburb | Κολοκοτρώνη, Αγίας Παρασκευής, Ανδρέα Παπανδρέου
    Πολύδροσο | Polydroso | 38.0330 23.8010 | 15233 | 3600 | suburb | Παναγή Τσαλδάρη, Αναπαύσεως, Ύδρας
    Κάτω Χαλάνδρι | Kato Chalandri | 38.0160 23.7890 | 15231 | 3200 | suburb | Αριστοφάνους, Εθνικής Αντιστάσεως, Σόλωνος
    Πάτημα | Patima | 38.0330 23.8180 | 15238 | 3000 | suburb | Πίνδου, Πεντέλης, Ζαλόγγου
  Φιλοθέη-Ψυχικό | Filothei-Psychiko
    Παλαιό Ψυχικό | Palaio Psychiko | 38.0140 23.7710 | 15452 | 5400 | suburb | Δεληγιάννη, Στρατηγού Καλλάρη, Αμαρυλλίδος
    Φιλοθέη | Filothei | 38.0250 23.7810 | 15237 | 5000 | suburb | Λεωφόρος Καποδιστρίου, Γεωργίου Βεντήρη, Νιόβης
    Νέο Ψυχικό | Neo Psychiko | 38.0050 23.7800 | 15451 | 3500 | suburb | Αγίας Σοφίας, Ξάνθου, Δημητρίου Βασιλείου
  Πειραιάς | Piraeus
    Πασαλιμάνι | Pasalimani | 37.9370 23.6480 | 18536 | 3000 | coast | Ακτή Μουτσοπούλου, Γρηγορίου Λαμπράκη, Σωτήρος Διός
    Καστέλλα | Kastella | 37.9370 23.6570 | 18533 | 3500 | coast | Βασιλέως Παύλου, Παναγή Τσαλδάρη, Φαλήρου
    Πειραϊκή | Peiraiki | 37.9310 23.6340 | 18539 | 3200 | coast | Ακτή Θεμιστοκλέους, Σαχτούρη, Χατζηκυριακού
    Καμίνια | Kaminia | 37.9530 23.6520 | 18541 | 1600 | urban | Θηβών, Αγίου Ελευθερίου, Σαλαμίνος
  Περιστέρι | Peristeri
    Κέντρο Περιστερίου | Peristeri Centre | 38.0130 23.6910 | 12134 | 2200 | urban | Παναγή Τσαλδάρη, Εθνικής Αντιστάσεως, Αιμιλίου Βεάκη
    Άγιος Αντώνιος | Agios Antonios | 38.0065 23.6990 | 12131 | 2100 | urban | Παναγή Τσαλδάρη, Αγίου Αντωνίου, Πελασγίας
    Άσπρα Χώματα | Aspra Chomata | 38.0240 23.6900 | 12135 | 1900 | urban | Παρνασσού, Αγίου Βασιλείου, Κρήτης
  Ασπρόπυργος | Aspropyrgos
    Κέντρο Ασπροπύργου | Aspropyrgos Centre | 38.0620 23.5870 | 19300 | 1300 | industrial | Δημητρίου Λιάκου, Λεωφόρος Ειρήνης, Σαλαμίνος
    Μελίσσια Ασπροπύργου | Aspropyrgos Melissia | 38.0480 23.6140 | 19300 | 1100 | industrial | Λεωφόρος ΝΑΤΟ, Μεγαρίδος, Θηβών
  Μαρκόπουλο Μεσογαίας | Markopoulo Mesogaias
    Μαρκόπουλο | Markopoulo | 37.8830 23.9320 | 19003 | 1900 | rural | Αγίας Μαρίνας, Παπασιδέρη, Βασιλέως Κωνσταντίνου
    Πόρτο Ράφτη | Porto Rafti | 37.8850 24.0080 | 19003 | 2500 | coast | Λεωφόρος Πόρτο Ράφτη, Αγίου Σπυρίδωνος, Γρέγου
  Λαυρεωτική | Lavreotiki
    Λαύριο | Lavrio | 37.7140 24.0560 | 19500 | 1700 | coast | Ερμού, Φωκίωνος Νέγρη, Ακτή Ανδρέα Παπανδρέου
    Κερατέα | Keratea | 37.8070 23.9760 | 19001 | 1500 | rural | Λεωφόρος Αθηνών-Σουνίου, Αγίου Δημητρίου, Βασιλέως Παύλου
Κεντρική Μακεδονία | Central Macedonia
  Θεσσαλονίκη | Thessaloniki
    Κέντρο Θεσσαλονίκης | Thessaloniki Centre | 40.6330 22.9430 | 54623 | 2900 | urban | Τσιμισκή, Εγνατία, Ερμού, Μητροπόλεως
    Λαδάδικα | Ladadika | 40.6350 22.9360 | 54625 | 2700 | urban | Αιγύπτου, Κατούνη, Λέοντος Σοφού
    Άνω Πόλη | Ano Poli | 40.6420 22.9530 | 54634 | 2300 | urban | Ολυμπιάδος, Ακροπόλεως, Επταπυργίου
    Ανάληψη | Analipsi | 40.6120 22.9560 | 54643 | 2500 | coast | Βασιλίσσης Όλγας, Μαρτίου, Παρασκευοπούλου
    Τούμπα | Toumpa | 40.6130 22.9730 | 54453 | 2000 | urban | Λαμπράκη, Κλεάνθους, Παπάφη
    Χαριλάου | Charilaou | 40.6010 22.9700 | 54249 | 2300 | urban | Αλεξάνδρου Παπαναστασίου, Νικολάου Πλαστήρα, Κρήτης
  Καλαμαριά | Kalamaria
    Αρετσού | Aretsou | 40.5740 22.9450 | 55132 | 3000 | coast | Πλαστήρα, Σοφούλη, Χηλής
    Νέα Κρήνη | Nea Krini | 40.5680 22.9500 | 55132 | 3100 | coast | Πλαστήρα, Αμισού, Εθνικής Αντιστάσεως
    Καραμπουρνάκι | Karampournaki | 40.5890 22.9380 | 55131 | 2800 | coast | Σοφούλη, Καραμαούνα, Μικράς Ασίας
  Πυλαία-Χορτιάτης | Pylaia-Chortiatis
    Πανόραμα | Panorama | 40.5880 23.0310 | 55236 | 2600 | suburb | Κομνηνών, Βενιζέλου, Αναλήψεως
    Πυλαία | Pylaia | 40.5990 22.9900 | 55535 | 2300 | suburb | Προφήτη Ηλία, Πλούτωνος, Ερμού
  Κασσάνδρα | Kassandra
    Καλλιθέα Χαλκιδικής | Kallithea Chalkidikis | 40.0730 23.4460 | 63077 | 2400 | resort | Μεγάλου Αλεξάνδρου, Ποσειδώνος
    Χανιώτη | Chanioti | 39.9990 23.5760 | 63085 | 2200 | resort | Ποσειδώνος, Αριστοτέλους
Κρήτη | Crete
  Χανιά | Chania
    Παλιά Πόλη Χανίων | Chania Old Town | 35.5170 24.0180 | 73131 | 3400 | resort | Ζαμπελίου, Θεοτοκοπούλου, Χάληδων
    Χαλέπα | Chalepa | 35.5150 24.0440 | 73133 | 2700 | coast | Ελευθερίου Βενιζέλου, Ηρώων Πολυτεχνείου, Ανδρέα Παπανδρέου
    Νέα Χώρα | Nea Chora | 35.5130 24.0080 | 73134 | 2500 | coast | Σελίνου, Ακτή Παπανικολή, Κισσάμου
    Ακρωτήρι | Akrotiri | 35.5360 24.0730 | 73100 | 2300 | rural | Λεωφόρος Αεροδρομίου, Κουνουπιδιανών, Αγίου Ονουφρίου
  Ηράκλειο | Heraklion
    Κέντρο Ηρακλείου | Heraklion Centre | 35.3390 25.1330 | 71202 | 2400 | urban | 25ης Αυγούστου, Δαιδάλου, Ίδης
    Πόρος | Poros | 35.3370 25.1480 | 71306 | 1800 | coast | Ικάρου, Εθνικής Αντιστάσεως, Αντωνίου Καστρινάκη
  Αποκόρωνας | Apokoronas
    Αλμυρίδα | Almyrida | 35.4490 24.2010 | 73008 | 2600 | resort | Παραλιακή Αλμυρίδας, Πλάκας
    Βάμος | Vamos | 35.4080 24.1980 | 73008 | 1700 | rural | Λεωφόρος Βάμου, Ελευθερίου Βενιζέλου
Νότιο Αιγαίο | South Aegean
  Θήρα | Santorini
    Φηρά | Fira | 36.4170 25.4320 | 84700 | 5600 | resort | 25ης Μαρτίου, Δανέζη, Υπαπαντής
    Οία | Oia | 36.4620 25.3750 | 84702 | 7000 | resort | Νικολάου Νομικού, Αμμουδίου
    Καμάρι | Kamari | 36.3770 25.4820 | 84700 | 3600 | resort | Παραλιακή Καμαρίου, Αγίας Παρασκευής
  Μύκονος | Mykonos
    Χώρα Μυκόνου | Mykonos Town | 37.4450 25.3280 | 84600 | 7400 | resort | Ματογιάννι, Ενόπλων Δυνάμεων, Καλογερά
    Άνω Μερά | Ano Mera | 37.4470 25.3960 | 84600 | 4800 | rural | Λεωφόρος Άνω Μεράς, Καλαφάτη
  Πάρος | Paros
    Παροικιά | Paroikia | 37.0850 25.1480 | 84400 | 3700 | resort | Μαντώς Μαυρογένους, Λοχαγού Φωκιανού
    Νάουσα | Naousa | 37.1230 25.2370 | 84401 | 4200 | resort | Αρχιλόχου, Δημητρίου Μαυρογένους
Πελοπόννησος | Peloponnese
  Ναύπλιο | Nafplio
    Παλιά Πόλη Ναυπλίου | Nafplio Old Town | 37.5660 22.7970 | 21100 | 2900 | coast | Βασιλέως Κωνσταντίνου, Σταϊκοπούλου, Πλαπούτα
    Τολό | Tolo | 37.5190 22.8590 | 21056 | 2000 | resort | Μπουμπουλίνας, Σεκέρη
  Καλαμάτα | Kalamata
    Κέντρο Καλαμάτας | Kalamata Centre | 37.0390 22.1140 | 24133 | 1900 | urban | Αριστομένους, Φαρών, Αναγνωσταρά
    Βέργα | Verga | 37.0060 22.1500 | 24100 | 2100 | resort | Παραλιακή Βέργας, Αλμυρού
`

/** Each level has its own range of ids, so that an id shows its level. */
const FIRST_ID = { 1: 1, 2: 101, 3: 1001 } as const

const tree = readTree()

/** Every place, a parent before its children. */
export const PLACES: readonly DemoPlace[] = tree.places

/** The places of level 3, with what surrounds them. */
export const NEIGHBOURHOODS: readonly Neighbourhood[] = tree.neighbourhoods

function readTree() {
  const places: DemoPlace[] = []
  const neighbourhoods: Neighbourhood[] = []
  let region: DemoPlace | undefined
  let municipality: DemoPlace | undefined
  for (const line of TREE.split('\n')) {
    if (line.trim() === '') continue
    const level = line.startsWith('    ') ? 3 : line.startsWith('  ') ? 2 : 1
    const [name_el = '', name_en = '', ...facts] = line.split('|').map((cell) => cell.trim())
    const parent = level === 1 ? undefined : level === 2 ? region : municipality
    const place: DemoPlace = {
      id: FIRST_ID[level] + places.filter((other) => other.level === level).length,
      level,
      parent_id: parent?.id ?? null,
      name_el,
      name_en,
      full_name_el: parent === undefined ? name_el : `${name_el}, ${parent.full_name_el}`,
      full_name_en: parent === undefined ? name_en : `${name_en}, ${parent.full_name_en}`,
    }
    places.push(place)
    if (level === 1) region = place
    else if (level === 2) municipality = place
    else if (region !== undefined && municipality !== undefined) {
      neighbourhoods.push(readNeighbourhood(place, municipality, region, facts))
    }
  }
  return { places, neighbourhoods }
}

function readNeighbourhood(
  place: DemoPlace,
  municipality: DemoPlace,
  region: DemoPlace,
  facts: string[],
): Neighbourhood {
  const [point = '', postal_code = '', price = '', character = '', streets = ''] = facts
  const [latitude = 0, longitude = 0] = point.split(' ').map(Number)
  return {
    place,
    municipality,
    region,
    latitude,
    longitude,
    postal_code,
    price_per_sqm: Number(price),
    character: character as Character,
    streets: streets.split(', '),
  }
}
