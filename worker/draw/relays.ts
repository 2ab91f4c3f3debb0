import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { type BeaconNetwork, parseSignature } from '../../core/draw/beacon.ts'
import { isSignature } from '../../core/server/signature-check.ts'
import { pause } from '../../core/server/time.ts'
import { readText } from '../../core/verify/download.ts'

/** A verified signature, and the host of the relay that brought it. */
export type Brought = { signature: Hex; source: string }

export type Beacon = {
  network: BeaconNetwork
  /** Asks the relays for a round that is due; undefined where none has it, or they were asked only a moment ago. */
  fetchRound: (round: number) => Promise<Brought | undefined>
}

type Options = {
  network: BeaconNetwork
  urls: readonly string[]
  log: Pick<Logger, 'warn' | 'debug'>
  /** From one relay to the next. */
  staggerMs?: number
  answerWithinMs?: number
  /** Milliseconds of a clock that only goes on. */
  now?: () => number
}

const maxBytes = 4_096

/** Relays as couriers: all are raced, and the first signature that the pinned key confirms wins. A relay with
 * a wrong one is logged and asked last. */
export function connectRelays(options: Options): Beacon {
  const { network, urls, log, now = () => performance.now() } = options
  const { staggerMs = 300, answerWithinMs = 5_000 } = options
  const wrong = new Set<string>()
  const askedFor = new Map<number, { times: number; firstAt: number; lastAt: number }>()

  function isTooEarly(round: number): boolean {
    const at = now()
    const asked = askedFor.get(round) ?? { times: 0, firstAt: at, lastAt: Number.NEGATIVE_INFINITY }
    askedFor.set(round, asked)
    if (at - asked.lastAt < pauseMs(asked.times, at - asked.firstAt)) return true
    asked.times += 1
    asked.lastAt = at
    return false
  }

  async function race(round: number): Promise<Brought | undefined> {
    const won = Promise.withResolvers<Brought | undefined>()
    const over = new AbortController()
    const inOrder = [...urls].sort((a, b) => Number(wrong.has(a)) - Number(wrong.has(b)))
    const tries = inOrder.map(async (url, place) => {
      await pause(place * staggerMs, over.signal)
      if (over.signal.aborted) return
      const { host } = new URL(url)
      try {
        const signal = AbortSignal.any([over.signal, AbortSignal.timeout(answerWithinMs)])
        // The first form of drand's calls, which every relay has.
        const path = `/${network.chainHash.slice(2)}/public/${round}`
        const signature = await ask(url.replace(/\/+$/, '') + path, signal)
        if (signature !== undefined && (await isSignature(signature, round, network))) {
          won.resolve({ signature, source: host })
          over.abort()
        } else {
          wrong.add(url)
          log.warn({ host, round }, 'a relay of the beacon told a wrong signature')
        }
      } catch (err) {
        if (!over.signal.aborted) log.debug({ host, round, err }, 'a relay of the beacon has no signature')
      }
    })
    void Promise.all(tries).then(() => won.resolve(undefined))
    return won.promise
  }

  return { network, fetchRound: async (round) => (isTooEarly(round) ? undefined : race(round)) }
}

/** 1 s after each of the first 30 times, then 5 s for an hour, then a minute; a little less, as the jobs come by a clock. */
function pauseMs(times: number, sinceFirstMs: number): number {
  if (times < 30) return 900
  return sinceFirstMs < 3_600_000 ? 4_900 : 59_000
}

/** The signature in an answer; undefined for an answer that has none in its one form. Throws for no answer. */
async function ask(url: string, signal: AbortSignal): Promise<Hex | undefined> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    redirect: 'manual',
    signal,
  })
  if (response.status !== 200) {
    void response.body?.cancel().catch(() => undefined)
    throw new Error(`status ${response.status}`)
  }
  const answer: unknown = JSON.parse(await readText(response, maxBytes))
  return parseSignature((answer as { signature?: unknown } | null)?.signature)
}
