import { describe, expect, it } from 'vitest'
import { chooseLanguage, LANGUAGES, TEXTS } from '../../src/tours/texts.ts'

describe('the language of a page', () => {
  it.each([
    [undefined, undefined, 'el'],
    [undefined, '', 'el'],
    [undefined, '*', 'el'],
    [undefined, 'el', 'el'],
    [undefined, 'el-GR,el;q=0.9,en;q=0.8', 'el'],
    [undefined, 'en-GB,en;q=0.9', 'en'],
    [undefined, 'EN', 'en'],
    [undefined, 'en;q=0.5, el;q=0.8', 'el'],
    [undefined, 'el;q=0.5, en; q=0.8', 'en'],
    [undefined, 'el;q=0, en;q=0.1', 'en'],
    [undefined, 'de-DE,de;q=0.9', 'en'],
    [undefined, 'de-DE,de;q=0.9,el;q=0.1', 'el'],
    [undefined, 'ell', 'en'],
    [undefined, 'en;q=nonsense, el;q=0.1', 'el'],
    ['en', 'el', 'en'],
    ['el', 'en', 'el'],
    ['EL', 'en', 'el'],
    ['de', 'en', 'en'],
    ['', undefined, 'el'],
    ['constructor', undefined, 'el'],
  ])('?lang=%s and Accept-Language: %s make %s', (wanted, accepted, language) => {
    expect(chooseLanguage(wanted, accepted)).toBe(language)
  })
})

describe('texts', () => {
  it.each(LANGUAGES)('%s counts pictures in words of its own', (language) => {
    const { summary, picture } = TEXTS[language]
    expect(summary(1)).not.toBe(summary(2))
    expect(summary(2)).toContain('2')
    expect(picture(1, 3)).toMatch(/ 1 .* 3$/)
  })

  it('say the same things, each in its own words', () => {
    const { el, en } = TEXTS
    expect(Object.keys(el)).toEqual(Object.keys(en))
    expect(el.keys).toHaveLength(en.keys.length)
    for (const [key, text] of Object.entries(el))
      if (typeof text === 'string')
        expect(text, key).not.toBe(Object.entries(en).find(([k]) => k === key)?.[1])
  })
})
