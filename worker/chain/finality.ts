import type { Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { agree, askAll, askUntil, type OnAlarm, onceIn, witnesses } from './agree.ts'
import type { Endpoint } from './endpoint.ts'
import { type Block, blockPrint, type Header, readBlock, toHeader } from './headers.ts'
import { isFailure } from './transport.ts'

const stalledAfterMs = 60_000
/** Block times go with the clock, which may be so much too fast. A tag that goes slower is held back by a node. */
const leastPace = 0.999
/** Past this depth more than two thirds of BNB Smart Chain's validators have built on a block. */
const confirmations = 240n

/** Remembers how near the `finalized` tag came to this process's own clock. `trusted`: not set aside. */
export function watchFinality(trusted: () => readonly Endpoint[], now: () => number) {
  let highest: Header | undefined
  let agreed: Block | undefined
  const beganAt = now()
  /** Milliseconds that the tag is ahead of the clock, whatever both count from; and the most that it ever was. */
  const leadOf = ({ timestamp }: Header) => timestamp * 1000 - now() * leastPace
  let lead = Number.NEGATIVE_INFINITY
  const behindMs = () => (highest ? lead - leadOf(highest) : now() - beganAt)
  const isAdvancing = () => behindMs() < stalledAfterMs

  /** The newest block that is final by the tag, or by 240 confirmations while the tag does not keep up. */
  async function read(): Promise<Header> {
    const tagged = await readTag(trusted())
    if (tagged && (!highest || tagged.number > highest.number)) {
      highest = toHeader(tagged)
      lead = Math.max(lead, leadOf(highest))
    }
    const deep = isAdvancing() ? undefined : await readDeep(trusted())
    agreed = deep && (!tagged || deep.number > tagged.number) ? deep : tagged
    if (!agreed) throw new RaffleError('NOT_FINAL', { reason: 'block' })
    return toHeader(agreed)
  }
  return {
    read,
    /** False once the tag has fallen behind the time by a minute: then an unknown hash proves nothing. */
    isAdvancing,
    /** The newest block seen with the tag. */
    newest: () => highest,
    /** The block that was read last: two have just called it final. */
    agreed: () => agreed,
  }
}

type Tag = { endpoint: Endpoint; block: Block }

/** The newest block that two endpoints, or the only one, call final. Undefined if the tag is not served. */
async function readTag(endpoints: readonly Endpoint[]): Promise<Block | undefined> {
  const enough = witnesses(endpoints)
  const tags: Tag[] = []
  let answered = 0
  await askUntil(endpoints, endpoints.length, async (endpoint) => {
    const block = await readBlock(endpoint, 'finalized').catch(withoutTag)
    answered++
    if (block) tags.push({ endpoint, block })
    return block ?? null
  }).catch((error) => {
    if (answered < enough) throw error
  })
  return secondHighest(endpoints, tags, enough)
}

/** The second highest tag. Those who call it or a later block final must have the same block there; of three
 * or more two decide, and without an endpoint that has another one the others' tags count alone. */
async function secondHighest(
  endpoints: readonly Endpoint[],
  tags: readonly Tag[],
  enough: number,
): Promise<Block | undefined> {
  const sorted = tags.toSorted((a, b) => (a.block.number < b.block.number ? 1 : -1))
  const height = sorted[enough - 1]?.block.number
  if (height === undefined) return undefined
  const known = new Map(sorted.map(({ endpoint, block }) => [endpoint, block]))
  const agreed = await agree(
    [...new Set([...known.keys(), ...endpoints])],
    async (endpoint) => {
      const own = known.get(endpoint)
      return own?.number === height ? own : readBlock(endpoint, height)
    },
    blockPrint,
  )
  const staying = tags.filter(({ endpoint }) => !endpoint.seat.isAside())
  if (staying.length < tags.length) return secondHighest(endpoints, staying, enough)
  if (!agreed) throw new RaffleError('RPC_UNAVAILABLE', { reason: 'chain' })
  return agreed
}

/** 240 below the lowest head of all that answer, at least two, which must have the same block there. */
async function readDeep(endpoints: readonly Endpoint[]): Promise<Block | undefined> {
  const heads = await askAll(endpoints, async (endpoint) => {
    const head = await readBlock(endpoint, 'latest')
    return head && { endpoint, number: head.number }
  })
  const [lowest = 0n] = heads.map(({ number }) => number).sort((a, b) => (a < b ? -1 : 1))
  const height = lowest - confirmations
  if (height < 0n) return undefined
  const asked = heads.map(({ endpoint }) => endpoint)
  return agree(asked, (endpoint) => readBlock(endpoint, height), blockPrint, { all: true })
}

/** Some endpoints return an error for a tag that they do not serve. */
function withoutTag(error: unknown): undefined {
  if (isFailure(error, 'rpc', 'behind')) return undefined
  throw error
}

/** Seconds since 1970. */
export type Clock = () => Promise<number>
/** The newest block, and the time that no block can be later than. */
export type Head = Header & { notAfter: number }

/** The time a block may have beyond the clock: endpoints and databases differ by seconds, not by minutes. */
const allowedSeconds = 60
const quietSeconds = 5
const alarmEveryMs = 10 * 60_000

/** Bounds what endpoints tell of the newest block's time, as nothing else proves it before the block is
 * final. Without a clock the chain's own time counts: where it is moved by hand nobody else has it. */
export function watchClock(clock: Clock | undefined, now: () => number, onAlarm: OnAlarm) {
  const alarm = onceIn(alarmEveryMs, now, onAlarm)
  let skew: number | null = null
  return {
    /** Seconds that the chain is ahead of the clock, negative while it is behind; null before the first look. */
    skewSeconds: () => skew,
    /** `newest` with its time bounded by the clock, which is read while the block is asked for. */
    bound: async (asked: Promise<Header>): Promise<Head> => {
      const [newest, time] = await Promise.all([asked, clock?.()])
      if (time !== undefined) {
        skew = newest.timestamp - time
        if (Math.abs(skew) > quietSeconds)
          alarm('clock and chain differ', { chainAheadSeconds: Math.round(skew) })
      }
      const notAfter = Math.floor((time ?? newest.timestamp) + allowedSeconds)
      return { ...newest, timestamp: Math.min(newest.timestamp, notAfter), notAfter }
    },
  }
}

/** Full nodes keep the state of 128 blocks; while they are asked they make some more. */
const keptStates = 100n
/** So far below the newest block honest nodes are on one branch. */
const settledDepth = 12n

/** A block whose codes and calls every full node can tell: the final one, or, where finality has stood still
 * for long, one near the head. */
export async function findStateBlock(
  isAdvancing: () => boolean,
  readFinal: () => Promise<Header>,
  readLatest: () => Promise<Header>,
): Promise<bigint> {
  const { number: final } = await readFinal()
  if (isAdvancing()) return final
  const { number: newest } = await readLatest()
  return newest - final < keptStates ? final : newest - settledDepth
}

/** A block this far below the head is not just late on a node that is behind. */
export const pastLag = 1_000n

export const historyMissing = (height: bigint | number): RaffleError =>
  new RaffleError('HISTORY_MISSING', { data: { height: `${height}` } })

type Place = { height: bigint; hash: Hash }
type Heights = { header: (number: bigint) => Promise<Header | undefined> }

/** True when the chain shows another block where a cursor stands, below what it calls final. Throws
 * HISTORY_MISSING when the endpoints no longer have that block: those after it are gone as well. */
export async function isReplaced(chain: Heights, cursor: Place, head: Header): Promise<boolean> {
  // An endpoint that is behind says nothing about blocks that it does not have yet.
  if (head.number < cursor.height) return false
  const header = await chain.header(cursor.height)
  // A block that no endpoint has was there once if it is old.
  if (!header && head.number - cursor.height > pastLag) throw historyMissing(cursor.height)
  return header !== undefined && header.hash !== cursor.hash
}

/** The newest recorded block that the chain still has, if any. `read` answers some below a height, newest
 * first. Throws HISTORY_MISSING: a forgotten block is not a replaced one. */
export async function lastAgreed<T extends Place>(
  chain: Heights,
  from: bigint,
  read: (below: bigint) => Promise<readonly T[]>,
): Promise<T | undefined> {
  for (let below = from, count = 1; ; ) {
    const blocks = await read(below)
    const last = blocks.at(-1)
    if (!last) return undefined
    // The newest is mostly it: older ones, which an endpoint may have forgotten, are not asked for without need.
    for (let at = 0; at < blocks.length; count *= 4) {
      const next = blocks.slice(at, at + count)
      at += next.length
      const headers = await Promise.allSettled(next.map(({ height }) => chain.header(height)))
      for (const [index, block] of next.entries()) {
        const told = headers[index]
        if (told?.status === 'rejected') throw told.reason
        const header = told?.value
        if (!header) throw historyMissing(block.height)
        if (header.hash === block.hash) return block
      }
    }
    below = last.height
  }
}
