import { afterEach, describe, expect, test } from 'vitest'
import { quicknet, roundTime } from '../../core/draw/beacon.ts'
import { beacons, cursors, events, house } from '../../db/schema/index.ts'
import { type OpenApi, openApi } from '../../e2e/lab/api.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'

// Rounds of drand quicknet, as drand's clients test with them.
const round = 1_000
const signature =
  'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39'
const randomness = '0xfe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd'
const ofRound42 =
  '95a9f9f5b231b7714de1553105d8ffdf3dcda24cfdb1e689319bccf79a9c8ce430a91b811fbfaf763900bc998b5d686a'
const dueAt = new Date(roundTime(round, quicknet) * 1000)
const hash = `0x${'00'.repeat(32)}` as const

let api: OpenApi
afterEach(() => api?.close())

type World = { entropy?: 'blocks' | 'blocks+drand'; hasRound?: boolean; finalSeconds?: number }

/** Event 1 waits for the round; the last final block that was read is so many seconds behind its time. */
async function open({ entropy = 'blocks+drand', hasRound = true, finalSeconds = 0 }: World = {}) {
  const queued: unknown[] = []
  const enqueue = async (name: string, payload: unknown) => queued.push([name, payload]) > 0
  api = await openApi({ jobs: { enqueue } })
  await withOtherPast(api.db, (tx) => tx.update(events).set({ entropy }))
  const { name: network, chainHash } = quicknet
  const after = { number: 132, hash, timestamp: 0 } as const
  if (hasRound)
    await api.db
      .update(events)
      .set({ beaconRound: { network, chainHash, round, time: dueAt.getTime() / 1000, after } })
  const cursor = { height: 200n, hash, blockTime: new Date(dueAt.getTime() + finalSeconds * 1000) }
  await api.db
    .insert(cursors)
    .values({ name: 'payments', ...cursor })
    .onConflictDoUpdate({ target: cursors.name, set: cursor })
  return queued
}
async function handIn(body: unknown, from?: string) {
  const headers = { 'content-type': 'application/json', origin: 'https://raffle.example' }
  const answer = await api.call('POST', '/api/raffle/beacon', {
    ...(from && { from }),
    headers,
    body: JSON.stringify(body),
  })
  return { status: answer.status, wait: answer.headers.get('retry-after'), body: await answer.json() }
}
const known = () => api.db.select().from(beacons)

describe('anyone may hand in the round that a draw waits for', () => {
  test('a right signature is stored, told and wakes a worker; the next one is known already', async () => {
    const queued = await open()
    const [before] = await api.db.select().from(house)
    expect(await handIn({ eventNumber: 1, signature: signature.toUpperCase() })).toMatchObject({
      status: 200,
      body: { eventNumber: 1, round, randomness },
    })
    expect(await known()).toMatchObject([
      { chainHash: quicknet.chainHash, round, signature: `0x${signature}`, source: 'visitor' },
    ])
    expect(queued).toContainEqual(['draw', { eventNumber: 1 }])
    const [after] = await api.db.select().from(house)
    expect(after?.version).toBeGreaterThan(before?.version ?? 0)
    expect(await handIn({ eventNumber: 1, signature: ofRound42 })).toMatchObject({
      status: 409,
      body: { code: 'BEACON_KNOWN' },
    })
  })

  test('a row that nobody has checked does not keep the right one out', async () => {
    await open()
    const { chainHash } = quicknet
    await api.db.insert(beacons).values({ chainHash, round, signature: `0x${ofRound42}`, source: 'visitor' })
    expect(await handIn({ eventNumber: 1, signature })).toMatchObject({ status: 200 })
  })

  test.each([
    ['of another round', ofRound42],
    ['that is no point', 'ab'.repeat(48)],
    ['that is infinity', `c0${'00'.repeat(47)}`],
    ['of another form', 'ab'.repeat(47)],
    ['that is no text', 7],
  ])('a signature %s is refused', async (_, wrong) => {
    await open()
    expect(await handIn({ eventNumber: 1, signature: wrong })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_SIGNATURE' },
    })
    expect(await known()).toEqual([])
  })

  test('I36: a valid signature before its time is refused, whoever can make it', async () => {
    await open({ finalSeconds: -1 })
    expect(await handIn({ eventNumber: 1, signature })).toMatchObject({
      status: 503,
      wait: '2',
      body: { code: 'BEACON_PENDING' },
    })
    expect(await known()).toEqual([])
  })

  test.each([
    ['an event of the blocks alone', { entropy: 'blocks' }, 1, 404, 'NOT_FOUND'],
    ['an event that does not exist', {}, 9, 404, 'NOT_FOUND'],
    ['an event whose round is not known yet', { hasRound: false }, 1, 503, 'BEACON_PENDING'],
  ] as const)('nothing is taken for %s', async (_, world, eventNumber, status, code) => {
    await open(world)
    expect(await handIn({ eventNumber, signature })).toMatchObject({ status, body: { code } })
  })

  test('one check runs and four wait; the next caller is told when to come again', async () => {
    await open()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, visitor) =>
        handIn({ eventNumber: 1, signature: ofRound42 }, `10.2.0.${visitor}`),
      ),
    )
    const codes = answers.map(({ body, wait }) => `${body.code} ${wait}`)
    expect(new Set(codes)).toEqual(new Set(['INVALID_SIGNATURE null', 'RATE_LIMITED 2']))
    expect(codes.filter((code) => code === 'INVALID_SIGNATURE null').length).toBeGreaterThanOrEqual(5)
  })

  test('an address has so many calls at once', async () => {
    await open({ finalSeconds: -1 })
    const codes = []
    for (let call = 0; call < 11; call++) codes.push((await handIn({ eventNumber: 1, signature })).body.code)
    expect(codes.slice(9)).toEqual(['BEACON_PENDING', 'RATE_LIMITED'])
  })
})

test('the API answers while a signature is checked', async () => {
  await open()
  let turns = 0
  let isDone = false
  const turn = (): void => {
    if (isDone) return
    turns++
    setImmediate(turn)
  }
  turn()
  await handIn({ eventNumber: 1, signature: ofRound42 })
  await handIn({ eventNumber: 1, signature: ofRound42 })
  isDone = true
  // One check alone takes some thousand turns; checked on the loop itself it would leave a handful.
  expect(turns).toBeGreaterThan(100)
})
