import { expect, test } from 'vitest'
import { defaultFormHosts, isFormUrl, isHostName } from './claim.ts'

test.each([
  ['https://forms.gle/abc', true],
  ['https://docs.google.com/forms/d/e/1FA/viewform?usp=sf_link', true],
  ['https://DOCS.google.com/forms', true],
  ['https://forms.gle:443/abc', true],
  ['http://forms.gle/abc', false],
  ['https://forms.gle:8443/abc', false],
  ['https://forms.gle./abc', false],
  ['https://forms.gle.example/abc', false],
  ['https://forms.gle@evil.example/abc', false],
  ['https://me@forms.gle/abc', false],
  ['https://:secret@forms.gle/abc', false],
  ['https://evil-forms.gle/abc', false],
  ['https://sites.docs.google.com/abc', false],
  ['https://google.com/forms', false],
  ['https://fоrms.gle/abc', false],
  ['https://forms。gle.example/abc', false],
  ['https://xn--frms-55d.gle/abc', false],
  ['https://evil.example\\@forms.gle/abc', false],
  ['https://evil.example/https://forms.gle/abc', false],
  ['https://evil.example#@forms.gle', false],
  ['javascript:alert(1)//forms.gle', false],
  ['//forms.gle/abc', false],
  ['forms.gle/abc', false],
  ['', false],
])('the delivery form may be at %s: %s', (url, isAllowed) => {
  expect(isFormUrl(url, defaultFormHosts)).toBe(isAllowed)
})

test('a host is a name and nothing else', () => {
  for (const name of ['forms.gle', 'docs.google.com', 'a-b.xn--p1ai']) expect(isHostName(name)).toBe(true)
  for (const name of [
    '*.google.com',
    'https://forms.gle',
    'forms.gle:443',
    'forms.gle.',
    'localhost',
    '1.2.3.4',
    'Forms.gle',
    'a b.c',
    '-a.gle',
    '',
  ])
    expect(isHostName(name)).toBe(false)
})
