import { expect, onTestFinished, test } from 'vitest'
import { contentSha256 } from '../../core/content/promised.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import { answeredPage as pageOf } from '../../e2e/lab/answered-page.ts'
import { aContent, aPicture, aPrize } from '../../e2e/lab/content.ts'
import { SourceReader } from './read.ts'

/** An API with these answers, which a test may change; all else is not found. */
function serve(answers: Record<string, unknown>, log?: (line: string) => void): SourceReader {
  const server = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      const answer = answers[new URL(url).pathname.replace('/api/raffle/', '')]
      return answer === undefined ? new Response('', { status: 404 }) : Response.json(answer)
    },
  })
  onTestFinished(() => server.stop(true))
  return new SourceReader(`${server.url}`, log)
}

test('every event that the API knows is read, a number that no event had is left out', async () => {
  const reader = serve({ config: { eventNumber: 3 }, 'event/1': pageOf(1), 'event/3': pageOf(3) })
  expect(await reader.read()).toEqual({
    ...{ current: 3, events: [pageOf(1), pageOf(3)], unread: [], missing: [] },
  })
})

test.each([
  {},
  null,
  [],
  { error: 'maintenance' },
  { eventNumber: null },
  { eventNumber: 0 },
  { eventNumber: '2' },
  { eventNumber: 1e300 },
])('an answer that names no event takes no page away: %j', async (config) => {
  const reader = serve({ config, 'event/1': pageOf(1) })
  await expect(reader.read()).rejects.toThrow('no event is named')
})

/** Event 2 runs, and both have been read. */
async function readTwoEvents() {
  const answers: Record<string, unknown> = {
    config: { eventNumber: 2 },
    'event/1': pageOf(1),
    'event/2': pageOf(2),
  }
  const reader = serve(answers)
  await reader.read()
  return { answers, reader }
}

test('the page of an event stays as it is where the answer about it is wrong, and others are told anew', async () => {
  const { answers, reader } = await readTwoEvents()
  delete answers['event/1']
  answers['event/2'] = pageOf(2, { ticketsSold: 5 })
  expect(await reader.read({ all: true })).toEqual({
    ...{ current: 2, events: [pageOf(1), pageOf(2, { ticketsSold: 5 })], unread: [1], missing: [] },
  })
  expect(await serve({ config: { eventNumber: 1 } }).read()).toEqual({
    ...{ current: 1, events: [], unread: [1], missing: [1] },
  })
})

test('an API that lags behind another one does not bring the event before back', async () => {
  const { answers, reader } = await readTwoEvents()
  answers.config = { eventNumber: 1 }
  await expect(reader.read()).rejects.toThrow('event 1 runs, and event 2 did before')
  answers.config = { eventNumber: 2 }
  expect((await reader.read()).current).toBe(2)
})

test('nobody who answers stops the publication', async () => {
  await expect(new SourceReader('http://127.0.0.1:1').read()).rejects.toThrow()
})

const other = aContent({ title: { en: 'A house', ko: '집 한 채' } })
const leading = { ...aPicture, sha256: `${aPicture.sha256}/../../a` as const }
const farAway = pageOf(1).terms.replace('1893456000', '9'.repeat(14))
test.each<[string, unknown]>([
  ['tells of another event', pageOf(2)],
  ['tells of another event', { ...pageOf(1), eventNumber: '../../1' }],
  ['tells of another event', null],
  ['state is "gone"', { ...pageOf(1), state: 'gone' }],
  ['state is "constructor"', { ...pageOf(1), state: 'constructor' }],
  ['no line of this event', pageOf(1, { terms: pageOf(2).terms, termsSha256: pageOf(2).termsSha256 })],
  [
    'no line of this event',
    pageOf(1, { terms: 'Everybody wins.\n', termsSha256: termsSha256('Everybody wins.\n') }),
  ],
  ['beyond all calendars', pageOf(1, { terms: farAway, termsSha256: termsSha256(farAway) })],
  ['terms have another SHA-256', { ...pageOf(1), terms: pageOf(2).terms }],
  ['not what it promises', pageOf(1, { content: other })],
  ['promise another content', pageOf(1, { content: other, contentSha256: contentSha256(other) })],
  ['promise another content', pageOf(1, { content: null, contentSha256: null })],
  ['content is missing', pageOf(1, { content: null })],
  ['pictures.0.sha256 is', pageOf(1, { content: aContent({ prizes: [aPrize({ pictures: [leading] })] }) })],
  [
    'pictures.0.key is "../a.png"',
    pageOf(1, { content: aContent({ prizes: [aPrize({ pictures: [{ ...aPicture, key: '../a.png' }] })] }) }),
  ],
])('an answer makes no page: %s', async (says, answer) => {
  const lines: string[] = []
  const answers = { config: { eventNumber: 2 }, 'event/1': answer, 'event/2': pageOf(2) }
  const reader = serve(answers, (line) => lines.push(line))
  expect(await reader.read()).toEqual({ current: 2, events: [pageOf(2)], unread: [1], missing: [1] })
  expect(lines).toEqual([expect.stringMatching(/^The page of event 1 stays as it is: /)])
  expect(lines[0]).toContain(says)
})
