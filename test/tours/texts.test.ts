import { expect, it } from 'vitest'
import { chooseLanguage } from '../../src/tours/texts.ts'

it.each([
  [undefined, undefined, 'el'],
  [undefined, '*', 'el'],
  [undefined, 'el-GR,el;q=0.9,en;q=0.8', 'el'],
  [undefined, 'EN', 'en'],
  [undefined, 'el;q=0.5, en; q=0.8', 'en'],
  [undefined, 'el;q=0, en;q=0.1', 'en'],
  [undefined, 'de-DE,de;q=0.9,el;q=0.1', 'el'],
  [undefined, 'ell', 'en'],
  [undefined, 'en;q=nonsense, el;q=0.1', 'el'],
  ['EL', 'en', 'el'],
  ['de', 'en', 'en'],
  ['', undefined, 'el'],
  ['constructor', undefined, 'el'],
])('?lang=%s and Accept-Language: %s make %s', (wanted, accepted, language) => {
  expect(chooseLanguage(wanted, accepted)).toBe(language)
})
