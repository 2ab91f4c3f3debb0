import { drandRelays, parseSignature, quicknet } from '../../../core/draw/beacon.ts'
import { readText } from '../../../core/verify/download.ts'
import { serverNow } from '../live/clock.ts'
import { apiBase } from '../shell/api.ts'

type Delivery = {
  eventNumber: number
  round: number
  /** When the round is due, in milliseconds of the server's clock. */
  dueAt: number
  signal: AbortSignal
}

/** What the delivery needs of the world. @internal */
export type World = {
  relays: readonly string[]
  now: () => number
  random: () => number
  /** Ends early, without an error, when the delivery is over. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The server asks the relays itself; visitors begin this long after the round's time, and spread over as long again. */
const headStartMs = 5_000
const spreadMs = 30_000
/** Nobody delivered: the next attempt comes so much later, and spread again. */
const againMs = 30_000
const timeoutMs = 8_000
const longestAnswer = 4_096

/** With the chain hash, by drand's first HTTP interface; pages of the local chain have its beacon alone. */
const relays: readonly string[] = import.meta.env.PUBLIC_LOCAL_BEACON_URL
  ? [import.meta.env.PUBLIC_LOCAL_BEACON_URL]
  : drandRelays.map((host) => `${host}/${quicknet.chainHash.slice(2)}`)

const world: World = { relays, now: serverNow, random: Math.random, pause }

export async function carry(
  delivery: Delivery,
  { relays, now, random, pause }: World = world,
): Promise<void> {
  const { signal, dueAt } = delivery
  await pause(Math.max(0, dueAt - now()) + headStartMs + random() * spreadMs, signal)
  while (!signal.aborted) {
    for (const relay of shuffled(relays, random)) {
      const signature = signal.aborted ? undefined : await fetchRound(relay, delivery)
      if (signature && (await handIn(delivery, signature, pause))) return
    }
    await pause(againMs + random() * spreadMs, signal)
  }
}

/** A relay is a courier, not a witness: of its answer the signature alone is taken, and the server checks it. */
async function fetchRound(relay: string, { round, signal }: Delivery): Promise<string | undefined> {
  try {
    const response = await fetch(`${relay}/public/${round}`, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await readText(response, longestAnswer)
    return response.ok ? parseSignature((JSON.parse(text) as { signature?: unknown }).signature) : undefined
  } catch {
    return undefined // The next relay is asked.
  }
}

/** True when the server has the round. A busy server is asked again; a refused signature came from a relay that lies. */
async function handIn({ eventNumber, signal }: Delivery, signature: string, pause: World['pause']) {
  while (!signal.aborted) {
    const response = await fetch(`${apiBase}/api/raffle/beacon`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ eventNumber, signature }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }).catch(() => undefined)
    if (!response) return false
    void response.body?.cancel()
    if (response.ok || response.status === 409) return true
    if (response.status !== 429 && response.status !== 503) return false
    await pause(Math.max(1, Number(response.headers.get('retry-after')) || 0) * 1000, signal)
  }
  return false
}

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
