import { expect, test } from 'vitest'
import {
  contrast,
  contrastsOf,
  isEmail,
  leastContrast,
  shadesOf,
  themeCss,
  themeName,
  troubleOf,
} from './branding.ts'

test('contrast is that of WCAG 2.2', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#123456', '#123456')).toBe(1)
})

test('a colour on which print cannot be read is too dark, and one that paper swallows is too light', () => {
  for (const dark of ['#000000', '#1d4ed8', '#7a5200'])
    expect([dark, troubleOf(dark)]).toEqual([dark, 'accentDark'])
  for (const light of ['#ffffff', '#fffacd'])
    expect([light, troubleOf(light)]).toEqual([light, 'accentLight'])
  for (const good of ['#e3aa2b', '#f0b90b', '#22c55e', '#3b82f6', '#ffc0cb'])
    expect([good, troubleOf(good)]).toEqual([good, undefined])
})

test('of every accent that is taken all shades can be read where they stand, in both themes', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff']
  const all = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))
  const taken = all.filter((colour) => !troubleOf(colour))
  expect(taken.length).toBeGreaterThan(80)
  for (const colour of taken) {
    const { light, onPaper, onDark } = shadesOf(colour)
    expect(contrastsOf(colour).button).toBeGreaterThanOrEqual(leastContrast)
    expect(contrast('#1b1712', light)).toBeGreaterThanOrEqual(leastContrast)
    // Papers of tokens.css: desk and well by day; desk, stock and the wash of waiting by night.
    for (const paper of ['#f3ede0', '#e9e1d0'])
      expect([colour, contrast(onPaper, paper) >= leastContrast]).toEqual([colour, true])
    for (const paper of ['#15120e', '#1f1b15', '#35290f'])
      expect([colour, contrast(onDark, paper) >= leastContrast]).toEqual([colour, true])
  }
})

test('the style sheet is custom properties alone, and its name changes with it', () => {
  expect(themeCss('#22c55e')).toBe(
    ':root:root{--gold:#22c55e;--gold-light:#85dfa6;--gold-ink:light-dark(#1d542d,#6fd996);--print-2:#1b1712;--button-under:light-dark(#1b1712,#1d542d)}\n',
  )
  expect(themeName('#22c55e')).toMatch(/^[0-9a-f]{16}$/)
  expect(themeName('#22c55e')).not.toBe(themeName('#22c55d'))
})

test('an address for mail is one address and nothing more', () => {
  for (const good of ['help@raffle.example', 'a.b+c@x.co.kr'])
    expect([good, isEmail(good)]).toEqual([good, true])
  for (const bad of [
    '',
    'a',
    'a@b',
    'a@b.c?subject=x',
    'a@b.c,d@e.f',
    'a b@c.de',
    '<a@b.cd>',
    'a@b.cd\n',
    `${'a'.repeat(260)}@b.cd`,
  ])
    expect([bad, isEmail(bad)]).toEqual([bad, false])
})
