import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transliterate } from '../../../../src/resources/listings/address/elot743.ts'

describe('transliterate: the letters and pairs of the standard', () => {
  it.each([
    ['αβγδεζηθ', 'avgdezith'],
    ['ικλμνξοπ', 'iklmnxop'],
    ['ρστυφχψω', 'rstyfchpso'],
    ['ς', 's'],
    ['ΑΒΓΔΕΖΗΘ', 'AVGDEZITH'],
    ['ΙΚΛΜΝΞΟΠ', 'IKLMNXOP'],
    ['ΡΣΤΥΦΧΨΩ', 'RSTYFCHPSO'],
    ['ά έ ή ί ό ύ ώ ϊ ϋ ΐ ΰ', 'a e i i o y o i y i y'],
    ['Ά Έ Ή Ί Ό Ύ Ώ Ϊ Ϋ', 'A E I I O Y O I Y'],
    // αυ, ευ, ηυ before vowels and voiced consonants
    ['αυα αυε αυη αυι αυο αυω', 'ava ave avi avi avo avo'],
    ['αυβ αυγ αυδ αυζ αυλ αυμ αυν αυρ', 'avv avg avd avz avl avm avn avr'],
    ['ευα ευβ ευγ ευδ ευζ ευλ ευμ ευν ευρ', 'eva evv evg evd evz evl evm evn evr'],
    ['ηυα ηυβ ηυγ ηυδ ηυζ ηυλ ηυμ ηυν ηυρ', 'iva ivv ivg ivd ivz ivl ivm ivn ivr'],
    // … before voiceless consonants and at the end of a word
    ['αυθ αυκ αυξ αυπ αυσ αυς αυτ αυφ αυχ αυψ αυ', 'afth afk afx afp afs afs aft aff afch afps af'],
    ['ευθ ευκ ευξ ευπ ευσ ευς ευτ ευφ ευχ ευψ ευ', 'efth efk efx efp efs efs eft eff efch efps ef'],
    ['ηυθ ηυκ ηυξ ηυπ ηυσ ηυς ηυτ ηυφ ηυχ ηυψ ηυ', 'ifth ifk ifx ifp ifs ifs ift iff ifch ifps if'],
    ['αύριο εύκολος εφηύρα', 'avrio efkolos efivra'],
    // ου, αι, ει, οι, υι
    ['ου ού αι ει οι υι', 'ou ou ai ei oi yi'],
    // A diaeresis on the second letter, or an accent on the first, parts the pair
    ['αϋ εϋ ηϋ οϋ', 'ay ey iy oy'],
    ['άυ έυ ήυ όυ', 'ay ey iy oy'],
    ['αΰ οΰ αϊ αΐ', 'ay oy ai ai'],
    ['άυλος άυπνος πραΰνω πρωτοϋπουργός', 'aylos aypnos prayno protoypourgos'],
    // γ
    ['άγγελος σφίγξ άγχος αγκώνας γκολ', 'angelos sfinx anchos agkonas gkol'],
    // μπ at either end and inside
    ['μπαλκόνι λάμπα τραμπ', 'balkoni lampa trab'],
    ['Κουμ-Μπουρνού', 'Koum-Bournou'],
    // ντ, τζ, τσ
    ['ντομάτα πέντε τζάκι τσάι', 'ntomata pente tzaki tsai'],
    // Capitals
    ['Θησέως', 'Thiseos'],
    ['ΘΗΣΕΩΣ', 'THISEOS'],
    ['Χ. Τρικούπη', 'Ch. Trikoupi'],
    ['Χ. ΤΡΙΚΟΥΠΗ', 'CH. TRIKOUPI'],
    ['Θ', 'Th'],
    ['Ψυχικό ΨΥΧΙΚΟ', 'Psychiko PSYCHIKO'],
    ['ΕΥΡΙΠΙΔΟΥ ΕΥΠΟΛΙΔΟΣ', 'EVRIPIDOU EFPOLIDOS'],
    ['Μπότσαρη ΜΠΟΤΣΑΡΗ', 'Botsari BOTSARI'],
    ['ΑΓΧΙΑΛΟΥ ΑΓΓΕΛΑΚΗ', 'ANCHIALOU ANGELAKI'],
    ['ΜΑΪΟΥ ΑΫΛΟΣ', 'MAIOU AYLOS'],
    ['ΒΗΧ', 'VICH'],
  ])('%s → %s', (greek, latin) => expect(transliterate(greek)).toBe(latin))
})

describe('transliterate: forms of the same text', () => {
  it('reads combining characters as it reads precomposed ones', () => {
    for (const text of ['Πραΰς', 'Συγγρού', 'Ζαΐμη', 'Άυλος', 'Παύλου', 'Ώθησις']) {
      expect(transliterate(text.normalize('NFD'))).toBe(transliterate(text))
    }
  })

  it('reads polytonic spelling', () => {
    expect(transliterate('Ὁδὸς Ἑρμοῦ, τοῦ ᾌδου')).toBe('Odos Ermou, tou Adou')
    expect(transliterate('Παῦλος, εὐθεῖα')).toBe('Pavlos, eftheia')
  })

  it('leaves every other script, digit and sign as it is', () => {
    const text = 'Café Zoë 12-14, 3ος όροφος 🏠 שלום (β) №5 — 5 µm'
    expect(transliterate(text)).toBe('Café Zoë 12-14, 3os orofos 🏠 שלום (v) №5 — 5 µm')
    expect(transliterate('')).toBe('')
  })

  it('leaves no Greek letter and does not touch its own output', () => {
    const greek = 'αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώΑΆΒΓΔΕΈΖΗΉΘΙΊΪΚΛΜΝΞΟΌΠΡΣΤΥΎΫΦΧΨΩΏἀᾧῆὔ'
    const letter = fc.constantFrom(...greek)
    const text = fc.array(fc.oneof({ weight: 4, arbitrary: letter }, fc.string({ unit: 'grapheme' })))
    fc.assert(
      fc.property(text, fc.constantFrom('NFC', 'NFD'), (parts, form) => {
        const latin = transliterate(parts.join('').normalize(form))
        expect(latin).not.toMatch(/[\u0386-\u03ce\u1f00-\u1fbc]/)
        expect(transliterate(latin)).toBe(latin)
      }),
    )
  })

  it('does not touch text without Greek letters', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => transliterate(text) === text))
  })
})
