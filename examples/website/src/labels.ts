/** The names of Estia's values, in each language. */
import type { Listing } from './estia.ts'
import type { Language } from './texts.ts'

type Value<Field extends keyof Listing> = NonNullable<Listing[Field]> & string
interface Labels {
  availability: Record<Value<'availability'>, string>
  category: Record<Value<'category'>, string>
  subcategory: Record<Value<'subcategory'>, string>
  unit: Record<Value<'shortterm_unit'>, string>
  condition: Record<Value<'property_condition'>, string>
  energy: Record<Value<'energy_class'>, string>
  heating: Record<Value<'heating_type'>, string>
  heatingSource: Record<Value<'heating_source'>, string>
  orientation: Record<Value<'orientation'>, string>
}

const ENERGY = { app: 'A++', ap: 'A+', a: 'A', bp: 'B+', b: 'B', c: 'C', d: 'D', e: 'E', f: 'F', g: 'G' }

export const labels: Record<Language, Labels> = {
  el: {
    availability: {
      sale: 'Πώληση',
      rent: 'Ενοικίαση',
      auction: 'Πλειστηριασμός',
      shortterm: 'Βραχυχρόνια μίσθωση',
    },
    category: {
      residential: 'Κατοικία',
      commercial: 'Επαγγελματικός χώρος',
      land: 'Γη',
      other: 'Άλλο ακίνητο',
    },
    subcategory: {
      apartment: 'Διαμέρισμα',
      maisonette: 'Μεζονέτα',
      detached: 'Μονοκατοικία',
      villa: 'Βίλα',
      loft: 'Loft',
      residential_building: 'Κτίριο κατοικιών',
      apartment_complex: 'Συγκρότημα διαμερισμάτων',
      farmhouse: 'Αγροικία',
      houseboat: 'Πλωτή κατοικία',
      other_residential: 'Άλλη κατοικία',
      office: 'Γραφείο',
      store: 'Κατάστημα',
      warehouse: 'Αποθήκη',
      hotel: 'Ξενοδοχείο',
      commercial_building: 'Επαγγελματικό κτίριο',
      hall: 'Αίθουσα',
      industrial_space: 'Βιομηχανικός χώρος',
      craft_space: 'Βιοτεχνικός χώρος',
      other_commercial: 'Άλλος επαγγελματικός χώρος',
      plot: 'Οικόπεδο',
      parcel: 'Αγροτεμάχιο',
      island: 'Νησί',
      parking: 'Θέση στάθμευσης',
      business: 'Επιχείρηση',
      air: 'Αέρας',
      other: 'Άλλο',
    },
    unit: {
      per_day: 'την ημέρα',
      per_week: 'την εβδομάδα',
      per_month: 'τον μήνα',
      per_season: 'τη σεζόν',
      per_year: 'τον χρόνο',
    },
    condition: {
      under_construction: 'Υπό κατασκευή',
      new: 'Νεόδμητο',
      renovated: 'Ανακαινισμένο',
      good: 'Καλή',
      average: 'Μέτρια',
      needs_renovation: 'Χρειάζεται ανακαίνιση',
      unfinished: 'Ημιτελές',
    },
    energy: { ...ENERGY, pending: 'Υπό έκδοση' },
    heating: { individual: 'Ατομική', autonomous: 'Αυτόνομη', central: 'Κεντρική', none: 'Χωρίς' },
    heatingSource: {
      oil: 'Πετρέλαιο',
      natural_gas: 'Φυσικό αέριο',
      gas: 'Υγραέριο',
      ac: 'Κλιματισμός',
      heatpump: 'Αντλία θερμότητας',
      wood: 'Ξύλο',
      pellet: 'Πέλετ',
      fan_coil: 'Fan coil',
      geothermal_energy: 'Γεωθερμία',
      stove: 'Σόμπα',
      convection_heater: 'Θερμοπομποί',
      storage_heater: 'Θερμοσυσσωρευτές',
      teleheating: 'Τηλεθέρμανση',
      other: 'Άλλη',
    },
    orientation: {
      e: 'Ανατολικός',
      ew: 'Ανατολικοδυτικός',
      n: 'Βόρειος',
      ne: 'Βορειοανατολικός',
      w: 'Δυτικός',
      nw: 'Βορειοδυτικός',
      s: 'Νότιος',
      se: 'Νοτιοανατολικός',
      sw: 'Νοτιοδυτικός',
    },
  },
  en: {
    availability: { sale: 'For sale', rent: 'To rent', auction: 'Auction', shortterm: 'Short-term rental' },
    category: { residential: 'Home', commercial: 'Commercial', land: 'Land', other: 'Other' },
    subcategory: {
      apartment: 'Apartment',
      maisonette: 'Maisonette',
      detached: 'Detached house',
      villa: 'Villa',
      loft: 'Loft',
      residential_building: 'Residential building',
      apartment_complex: 'Apartment complex',
      farmhouse: 'Farmhouse',
      houseboat: 'Houseboat',
      other_residential: 'Other home',
      office: 'Office',
      store: 'Shop',
      warehouse: 'Warehouse',
      hotel: 'Hotel',
      commercial_building: 'Commercial building',
      hall: 'Hall',
      industrial_space: 'Industrial space',
      craft_space: 'Workshop',
      other_commercial: 'Other commercial space',
      plot: 'Plot',
      parcel: 'Land parcel',
      island: 'Island',
      parking: 'Parking space',
      business: 'Business',
      air: 'Air rights',
      other: 'Other',
    },
    unit: {
      per_day: 'a day',
      per_week: 'a week',
      per_month: 'a month',
      per_season: 'a season',
      per_year: 'a year',
    },
    condition: {
      under_construction: 'Under construction',
      new: 'New',
      renovated: 'Renovated',
      good: 'Good',
      average: 'Average',
      needs_renovation: 'Needs renovation',
      unfinished: 'Unfinished',
    },
    energy: { ...ENERGY, pending: 'Being issued' },
    heatingSource: {
      oil: 'Oil',
      natural_gas: 'Natural gas',
      gas: 'Bottled gas',
      ac: 'Air conditioning',
      heatpump: 'Heat pump',
      wood: 'Wood',
      pellet: 'Pellets',
      fan_coil: 'Fan coils',
      geothermal_energy: 'Geothermal energy',
      stove: 'Stove',
      convection_heater: 'Convection heaters',
      storage_heater: 'Storage heaters',
      teleheating: 'District heating',
      other: 'Other',
    },
    orientation: {
      e: 'East',
      ew: 'East and west',
      n: 'North',
      ne: 'North-east',
      w: 'West',
      nw: 'North-west',
      s: 'South',
      se: 'South-east',
      sw: 'South-west',
    },
    heating: { individual: 'Individual', autonomous: 'Autonomous', central: 'Central', none: 'None' },
  },
}

/** The label of a value of a facet; the value itself if the website has none for it. */
export function labelOf(kind: keyof Labels, value: string, language: Language): string {
  return (labels[language][kind] as Record<string, string>)[value] ?? value
}
