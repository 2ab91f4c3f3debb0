import { expect, test, vi } from 'vitest'
import { carry, type World } from './carry.ts'

const signature = `b4${'4'.repeat(94)}`
const relays = ['https://one.example/hash', 'https://two.example/hash']
type Answer = { status?: number; body?: unknown; retryAfter?: string } | 'down'

/** Plays a delivery to its end against these answers by address, and tells what was asked for and how long it waited. */
async function play(
  answers: Record<string, Answer[]>,
  { dueAt = 0, endAfter = Number.POSITIVE_INFINITY } = {},
) {
  const stop = new AbortController()
  const asked: string[] = []
  const pauses: number[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string }) => {
    asked.push(body ? `POST ${body}` : url)
    const list = answers[url] ?? expect.fail(`nobody expected ${url}`)
    const answer = (list.length > 1 ? list.shift() : list[0]) as Answer
    if (answer === 'down') throw new TypeError('Failed to fetch')
    const { status = 200, body: json = {}, retryAfter } = answer
    const text = typeof json === 'string' ? json : JSON.stringify(json)
    return new Response(text, { status, ...(retryAfter && { headers: { 'retry-after': retryAfter } }) })
  })
  const world: World = {
    relays,
    now: () => 1_000,
    // Keeps the order of the relays, and waits half of each spread.
    random: () => 0.5,
    pause: async (ms) => {
      pauses.push(ms)
      if (pauses.length > endAfter) stop.abort()
    },
  }
  try {
    await carry({ eventNumber: 7, round: 42, dueAt, signal: stop.signal }, world)
  } finally {
    vi.unstubAllGlobals()
  }
  return { asked, pauses }
}

const [one, two] = relays.map((relay) => `${relay}/public/42`) as [string, string]
const found = { body: { round: 42, signature, randomness: 'lies' } }
const handedIn = `POST {"eventNumber":7,"signature":"0x${signature}"}`

test('begins after the server, at a moment of its own, and asks no second relay when the first delivers', async () => {
  const { asked, pauses } = await play({ [one]: [found], '/api/raffle/beacon': [{}] }, { dueAt: 3_000 })
  expect(asked).toEqual([one, handedIn])
  expect(pauses).toEqual([2_000 + 5_000 + 15_000])
})

test.each<[string, Answer]>([
  ['is down', 'down'],
  ['has no such round', { status: 404 }],
  ['answers a page', { body: '<html>' }],
  ['answers more than a round', { body: { signature, padding: 'x'.repeat(5_000) } }],
  ['answers another form', { body: { signature: signature.slice(2) } }],
])('asks the next relay where one %s', async (_, broken) => {
  const { asked } = await play({ [one]: [broken], [two]: [found], '/api/raffle/beacon': [{}] })
  expect(asked).toEqual([one, two, handedIn])
})

test('a signature that the server refuses came from a relay that lies', async () => {
  const answers = { [one]: [found], [two]: [found], '/api/raffle/beacon': [{ status: 422 }, {}] }
  expect((await play(answers)).asked).toEqual([one, handedIn, two, handedIn])
})

test('a busy server gets the same signature again when it asks for it', async () => {
  const answers = {
    [one]: [found],
    '/api/raffle/beacon': [{ status: 429, retryAfter: '2' }, { status: 503 }, {}],
  }
  const { asked, pauses } = await play(answers)
  expect(asked).toEqual([one, handedIn, handedIn, handedIn])
  expect(pauses.slice(1)).toEqual([2_000, 1_000])
})

test('ends when somebody else was faster', async () => {
  const { asked } = await play({ [one]: [found], '/api/raffle/beacon': [{ status: 409 }] })
  expect(asked).toEqual([one, handedIn])
})

test('tries again while the round is wanted, and then no more', async () => {
  const { asked, pauses } = await play({ [one]: ['down'], [two]: ['down'] }, { endAfter: 2 })
  expect(asked).toEqual([one, two, one, two])
  expect(pauses).toEqual([20_000, 45_000, 45_000])
})
