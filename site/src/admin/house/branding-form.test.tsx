import { expect, test } from 'vitest'
import { asBuilt } from '../../../../core/house/branding.ts'
import { linesOf, markupOf } from '../../../../e2e/lab/islands.ts'
import { bodyOf, changesBetween, draftOf, wrongIn } from '../ui/draft.ts'
import { brandingFields as fields } from './Branding.tsx'

const key = `${'a'.repeat(32)}.png`
const saved = draftOf(fields, { ...asBuilt, name: 'Lucky', logo: { key, width: 2, height: 1 } })
type Draft = typeof saved
const changesIn = (part: Partial<Draft>) => {
  const draft = { ...saved, ...part }
  return bodyOf(
    fields,
    draft,
    changesBetween(fields, saved, draft).map(({ name }) => name),
  )
}
const wrongFields = (part: Partial<Draft>) => wrongIn(fields, saved, { ...saved, ...part }).bad

test('only what differs is sent, an empty field as what the page was built with', () => {
  expect(changesIn({})).toEqual({})
  expect(changesIn({ name: ' Lucky ' })).toEqual({})
  expect(changesIn({ name: '', logo: '', accent: ' #22C55E' })).toEqual({
    ...{ name: null, logo: null, accent: '#22c55e' },
  })
  const uploaded = `https://api.example/api/uploads/${'b'.repeat(32)}.jpg`
  expect(changesIn({ logo: uploaded })).toEqual({ logo: `${'b'.repeat(32)}.jpg` })
})

test('a colour that cannot be read says what to do, as does every other wrong field', () => {
  expect(wrongFields({ accent: '#000000' }).accent).toContain('더 밝은 색')
  expect(wrongFields({ accent: '#ffffff' }).accent).toContain('더 어두운 색')
  expect(wrongFields({ accent: 'gold' }).accent).toContain('#e3aa2b')
  expect(wrongFields({ accent: '#22c55e' })).toEqual({})
  const wrong = { supportEmail: 'a@b', socialUrl: 'http://x.example', shopUrl: 'shop', name: 'x'.repeat(41) }
  expect(Object.keys(wrongFields(wrong)).sort()).toEqual(Object.keys(wrong).sort())
})

test('the colour field shows the contrast of what is typed', () => {
  const shown = (value: string) => {
    const input = { name: 'accent', value, set: () => undefined, error: undefined, locked: undefined }
    return linesOf(markupOf(<div>{fields.accent.draw(input)}</div>)).join('\n')
  }
  expect(shown('#22c55e')).toMatch(/7\.8:1.*6\.8:1.*4\.5:1/)
  expect(shown('#22c')).not.toContain(':1')
})
