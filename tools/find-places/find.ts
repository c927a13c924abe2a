/** Runs the attacks on random places, each beside one on another place of the same cell. */
import { type Random, seeded } from '../../fixtures/random.ts'
import { type AttackedService, Attacker, anyPlace, meanOf, metresBetween, placeWithin } from './attacks.ts'

/** What an attack has found at all places. */
export interface Finding {
  attack: string
  /** The most different points that visitors have seen of one place. */
  points: number
  /** Metres from the place to the mean of the points, in the mean of all places. */
  metres: number
  /** The same for the places that nobody attacked: random ones of the same cells. */
  expected: number
  /** Places that visitors could distinguish from another place of the same cell. */
  distinguished: number
}

/** Makes each attack on `places` random places. */
export async function findPlaces(service: AttackedService, places: number, seed: number): Promise<Finding[]> {
  const random = seeded(seed)
  const attacker = new Attacker(service)
  await attacker.begin()
  const findings: Finding[] = []
  for (const attack of Object.keys(attacker.attacks) as (keyof Attacker['attacks'])[]) {
    const found: Awaited<ReturnType<typeof attackOne>>[] = []
    for (let turn = 0; turn < places; turn++) found.push(await attackOne(attacker.attacks[attack], random))
    const mean = (name: 'metres' | 'expected') => found.reduce((sum, one) => sum + one[name], 0) / places
    findings.push({
      attack,
      points: Math.max(...found.map(({ points }) => points)),
      metres: mean('metres'),
      expected: mean('expected'),
      distinguished: found.filter(({ isDistinguished }) => isDistinguished).length,
    })
  }
  return findings
}

async function attackOne(attack: Attacker['attacks'][keyof Attacker['attacks']], random: Random) {
  const place = anyPlace(random)
  const seen = await attack(place)
  const points = seen.map(({ point }) => point)
  const guess = meanOf(points)
  const others = Array.from({ length: 1000 }, () => metresBetween(placeWithin(guess, random), guess))
  const twin = await attack(placeWithin(points[0] ?? guess, random))
  return {
    points: new Set(points.map((point) => JSON.stringify(point))).size,
    metres: metresBetween(place, guess),
    expected: others.reduce((sum, metres) => sum + metres, 0) / others.length,
    isDistinguished:
      JSON.stringify(seen.map(({ answers }) => answers)) !==
      JSON.stringify(twin.map(({ answers }) => answers)),
  }
}
