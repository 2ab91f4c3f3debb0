import type { EventContent } from '../../../core/content/event-content.ts'
import { contentSha256, promisedText } from '../../../core/content/promised.ts'
import type { PublicContent } from '../../../core/content/public-content.ts'
import { type Case, casesOf, noted } from './case.ts'
import { termsWith } from './terms.ts'
import { raffled, type World } from './world.ts'

/** What a site tells of the content that the terms promise by its SHA-256. */
export async function contentCases(world: World): Promise<Case[]> {
  const { honestly, edited } = casesOf(world)
  const answer = (
    content: EventContent,
    change: Partial<Record<keyof PublicContent | 'note', unknown>> = {},
  ) =>
    JSON.stringify({
      ...{ eventNumber: 12, content, contentSha256: contentSha256(content), promised: promisedText(content) },
      ...{ corrections: [], ...change },
    })
  const honest = answer(raffled)
  const [prize] = raffled.prizes
  const forged = (name: string, content: string) =>
    edited(`content: ${name}`, 'terms', 'raffled', {}, { content })
  /** As the site would tell it after a change in its database: all of it fits. */
  const changed = (name: string, change: Partial<EventContent>) =>
    forged(name, answer({ ...raffled, ...change }))
  const prizes = (change: object) => ({ prizes: [{ ...prize, ...change }] as EventContent['prizes'] })
  const severalWinners = termsWith(world.honest.raffled.terms, { winners: '3' })
  const none = { content: null, contentSha256: null, promised: null }
  const { contentSha256: sha256, promised } = JSON.parse(honest) as PublicContent
  return [
    honestly('the content that was promised', 'raffled', 'verified', { content: honest }),
    honestly('a promised content that was not saved', 'raffled', 'incomplete'),
    honestly('another lead, shipping and correction beside what was promised', 'raffled', 'verified', {
      content: answer(
        { ...raffled, lead: { en: 'a', ko: 'a' }, shipping: { en: '', ko: '' }, links: [] },
        { corrections: [{ at: '2026-01-01T00:00:00.000Z', text: { en: 'a', ko: 'a' } }] },
      ),
    }),
    honestly('a content with a field of a later release', 'raffled', 'verified', {
      content: answer({ ...raffled, colour: 'gold' } as EventContent, { note: 'new' }),
    }),
    honestly('no content where the terms promise none', 'plain', 'verified', {
      content: answer(raffled, { ...none, eventNumber: 1 }),
    }),
    edited(
      'content: one where the terms promise none',
      'terms',
      'plain',
      {},
      {
        content: answer(raffled, { eventNumber: 1 }),
      },
    ),
    edited(
      'content: fewer prizes than the terms have winners',
      'terms',
      'raffled',
      { terms: severalWinners },
      { kept: [noted(severalWinners)], content: honest },
    ),
    changed('another title', { title: { en: 'Two bicycles', ko: '자전거 두 대' } }),
    changed('a cheaper prize', prizes({ value: '$90' })),
    changed('another kind of prize', prizes({ kind: 'token', amount: 90_000 })),
    changed('another number of prizes', prizes({ copies: 2 })),
    changed('another word on the prize', prizes({ about: { en: 'A used bicycle.', ko: '중고 자전거.' } })),
    changed('a fact missing', prizes({ facts: [] })),
    changed(
      'another picture',
      prizes({ pictures: [{ ...prize?.pictures[0], sha256: `0x${'5b'.repeat(32)}` }] }),
    ),
    changed('no picture', prizes({ pictures: [] })),
    changed('no prize', { prizes: [] }),
    changed('a letter that looks like another', prizes({ value: '＄900' })),
    changed('a title in another form of Unicode', {
      title: { ...raffled.title, ko: raffled.title.ko.normalize('NFD') },
    }),
    forged(
      'another one under the promised SHA-256',
      answer({ ...raffled, ...prizes({ value: '$90' }) }, { contentSha256: sha256 }),
    ),
    forged(
      'another one under the promised text',
      answer({ ...raffled, ...prizes({ value: '$90' }) }, { contentSha256: sha256, promised }),
    ),
    forged(
      'the promised one under another text',
      answer(raffled, { promised: promised?.replace('$900', '$90') }),
    ),
    forged(
      'the promised one under another SHA-256',
      answer(raffled, { contentSha256: `0x${'11'.repeat(32)}` }),
    ),
    forged('none', answer(raffled, none)),
    forged('of another event', answer(raffled, { eventNumber: 13 })),
    forged('a number as a text', answer(raffled, { eventNumber: '12' })),
    forged('no JSON', '<html>gone</html>'),
    forged('empty', ''),
    forged('null', 'null'),
    forged('a list', `[${honest}]`),
    forged('a prize twice in its JSON', honest.replace('"value":', '"value":"$90","value":')),
    forged('a number with a fraction', honest.replace('"copies":1', '"copies":1.0')),
    forged('copies as a text', honest.replace('"copies":1', '"copies":"1"')),
    forged('copies as a boolean', honest.replace('"copies":1', '"copies":true')),
    forged('half a sign beside what is promised', answer({ ...raffled, lead: { en: '\ud800', ko: 'a' } })),
    forged('a number beyond all programs', answer(raffled, { note: 2 ** 60 })),
    forged('a name that some programs put first', answer(raffled, { note: { 7: 1 } })),
    forged('a deep nest', answer(raffled, { note: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) })),
    forged('a nest that no stack holds', `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
    forged(
      'one Korean text missing',
      answer(raffled, { content: { ...raffled, title: { en: raffled.title.en } } }),
    ),
  ]
}
