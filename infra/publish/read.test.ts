import { expect, onTestFinished, test } from 'vitest'
import type { EventPage } from '../../core/content/event-page.ts'
import { contentSha256 } from '../../core/content/promised.ts'
import { type EventTerms, termsLine, termsSha256 } from '../../core/terms.ts'
import { aContent, aPicture, aPrize } from '../../e2e/lab/content.ts'
import { SourceReader } from './read.ts'

const token = `0x${'55'.repeat(20)}` as const
const saleStart = new Date('2030-01-01T00:00:00Z')
const content = aContent({ prizes: [aPrize({ pictures: [aPicture] })] })

/** The page of an event that sells `content`. */
function pageOf(eventNumber: number, change: Partial<EventPage> = {}): EventPage {
  const terms: EventTerms = {
    ...{ eventNumber, chainId: 56, token, operatorWallet: null, anchorWallet: null, ticketPrice: 3n },
    ...{ saleStart, saleEnd: null, drawDate: null, firstTicketAt: null, minTickets: 1, autoDraw: true },
    ...{ entropy: 'blocks', winners: 1, claimDays: 30, maxTickets: null, maxPerWallet: null },
    ...{ ownWallets: [], contentSha256: contentSha256(content) },
  }
  const line = termsLine(terms)
  return {
    ...{ eventNumber, state: 'on-sale', isArchived: false, content, contentSha256: contentSha256(content) },
    ...{ corrections: [], terms: line, termsSha256: termsSha256(line), ticketPrice: 300, ticketsSold: 0 },
    ...{ minTickets: 1, maxTickets: null, maxPerWallet: null, saleStart: saleStart.toISOString() },
    ...{ saleEnd: null, drawDate: null, entropy: 'blocks', operatorWallet: null, chainId: 56 },
    ...{ tokenAddress: token, refundReason: null, result: null, hasLedger: false, prizes: [], changes: [] },
    ...change,
  }
}

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

test('the page of an event stays as it is where the answer about it is wrong, and others are told anew', async () => {
  const answers: Record<string, unknown> = {
    config: { eventNumber: 2 },
    'event/1': pageOf(1),
    'event/2': pageOf(2),
  }
  const reader = serve(answers)
  await reader.read()
  delete answers['event/1']
  answers['event/2'] = pageOf(2, { ticketsSold: 5 })
  expect(await reader.read({ all: true })).toEqual({
    ...{ current: 2, events: [pageOf(1), pageOf(2, { ticketsSold: 5 })], unread: [1], missing: [] },
  })
  expect(await serve({ config: { eventNumber: 1 } }).read()).toEqual({
    ...{ current: 1, events: [], unread: [1], missing: [1] },
  })
})

test('nobody who answers stops the publication', async () => {
  await expect(new SourceReader('http://127.0.0.1:1').read()).rejects.toThrow()
})

const other = aContent({ title: { en: 'A house', ko: '집 한 채' } })
const leading = { ...aPicture, sha256: `${aPicture.sha256}/../../a` as const }
test.each<[string, unknown]>([
  ['tells of another event', pageOf(2)],
  ['tells of another event', { ...pageOf(1), eventNumber: '../../1' }],
  ['tells of another event', null],
  ['state is gone', { ...pageOf(1), state: 'gone' }],
  ['state is constructor', { ...pageOf(1), state: 'constructor' }],
  ['part of it is missing', { ...pageOf(1), corrections: undefined }],
  ['terms have another SHA-256', { ...pageOf(1), terms: pageOf(2).terms }],
  ['not what it promises', pageOf(1, { content: other })],
  ['promise another content', pageOf(1, { content: other, contentSha256: contentSha256(other) })],
  ['promise another content', pageOf(1, { content: null, contentSha256: null })],
  ['content is missing', pageOf(1, { content: null })],
  ['not what it promises', pageOf(1, { content: aContent({ prizes: [aPrize({ pictures: [leading] })] }) })],
  [
    'no name of ours',
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
