import { afterEach, expect, test } from 'vitest'
import { type LocalBeacon, type RelayFault, startBeacon } from '../../infra/local/beacon.ts'
import { connectRelays } from './relays.ts'

const round = 1_000
let relays: LocalBeacon[] = []
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop()
})

/** A relay for each fault, and what the worker makes of their answers. */
function open(...faults: (RelayFault | undefined)[]) {
  relays = faults.map((fault) =>
    Object.assign(startBeacon({ secret: 42n, now: async () => 1_700_000_000 }), { fault }),
  )
  const { network, sign } = relays[0] as LocalBeacon
  const outcomes: ('wrong' | 'failed')[] = []
  const log = { warn: () => outcomes.push('wrong'), debug: () => outcomes.push('failed') }
  let clock = 0
  // An answer that never comes is not waited for, one that comes late on a busy machine is.
  const answerWithinMs = faults.every((fault) => fault?.kind === 'hangs') ? 150 : 30_000
  const connected = connectRelays({
    ...{ network, log, now: () => clock, staggerMs: 5, answerWithinMs },
    urls: relays.map(({ url }) => url),
  })
  return { ...connected, log, signature: sign(round), outcomes, wait: (ms: number) => (clock += ms) }
}

test.each([
  ['that is down', { kind: 'missing' }, 'failed'],
  ['that is out of order', { kind: 'error' }, 'failed'],
  ['that answers with a page', { kind: 'html' }, 'failed'],
  ['that does not answer', { kind: 'hangs' }, 'failed'],
  ['that sends more than a signature is long', { kind: 'huge' }, 'failed'],
  ['that sends us elsewhere', { kind: 'redirects' }, 'failed'],
  ['that has not made the round yet', { kind: 'late', seconds: 10 ** 9 }, 'failed'],
  ['with the signature of another round', { kind: 'other-round' }, 'wrong'],
  ['with another key', { kind: 'wrong-key' }, 'wrong'],
] as const)(
  'a relay %s brings nothing, and does not keep the next one from it',
  async (_, fault, outcome) => {
    const alone = open(fault)
    expect(await alone.fetchRound(round)).toBeUndefined()
    expect(alone.outcomes).toEqual([outcome])
    for (const relay of relays.splice(0)) await relay.stop()
    const { fetchRound, signature } = open(fault, undefined)
    expect(await fetchRound(round)).toEqual({ signature, source: new URL(relays[1]?.url ?? '').host })
  },
)

test('a relay that lies about the randomness is as good as any: the signature alone is taken', async () => {
  const { fetchRound, signature, outcomes } = open({ kind: 'lies' })
  expect([(await fetchRound(round))?.signature, outcomes]).toEqual([signature, []])
})

test('a relay that told a wrong signature is asked last from then on', async () => {
  const { fetchRound, outcomes, wait } = open({ kind: 'wrong-key' }, { kind: 'missing' })
  await fetchRound(round)
  for (const relay of relays) relay.fault = undefined
  wait(1_000)
  expect((await fetchRound(round))?.source).toBe(new URL(relays[1]?.url ?? '').host)
  expect(outcomes.slice(0, 2).sort()).toEqual(['failed', 'wrong'])
})

test('relays are asked each second at first, then each five seconds, after an hour each minute', async () => {
  const { fetchRound, wait } = open({ kind: 'missing' })
  const asked = async (everyMs: number, times: number) => {
    const before = relays[0]?.asked() ?? 0
    for (let time = 0; time < times; time++) {
      await fetchRound(round)
      wait(everyMs)
    }
    return (relays[0]?.asked() ?? 0) - before
  }
  expect(await asked(500, 60)).toBe(30)
  expect(await asked(1_000, 50)).toBe(10)
  wait(3_600_000)
  expect(await asked(5_000, 36)).toBe(3)
})

test('without a relay nobody is asked', async () => {
  const { network, log } = open(undefined)
  expect(await connectRelays({ network, urls: [], log }).fetchRound(round)).toBeUndefined()
})
