import { RaffleError } from '../../core/errors.ts'
import { agree, agreeAll, askAll, askUntil, witnesses } from './agree.ts'
import { blockPrint, readBlock } from './blocks.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { type Block, type Header, toHeader } from './shapes.ts'

export type Finality = {
  /** The newest block that is final by the tag, or by 240 confirmations while the tag does not keep up. */
  read: () => Promise<Header>
  /** False once the tag has fallen behind the time by a minute: then an unknown hash proves nothing. */
  isAdvancing: () => boolean
  /** The newest block seen with the tag. */
  newest: () => Header | undefined
  /** The block that was read last: two have just called it final. */
  agreed: () => Block | undefined
}

const stalledAfterMs = 60_000
/** Block times go with the clock, which may be so much too fast. A tag that goes slower is held back by a node. */
const leastPace = 0.999
/** Past this depth more than two thirds of BNB Smart Chain's validators have built on a block. */
const confirmations = 240n

/** Remembers how near the `finalized` tag came to this process's own clock. `trusted`: not set aside. */
export function watchFinality(trusted: () => readonly Endpoint[], now: () => number): Finality {
  let highest: Header | undefined
  let agreed: Block | undefined
  const beganAt = now()
  /** Milliseconds that the tag is ahead of the clock, whatever both count from; and the most that it ever was. */
  const leadOf = ({ timestamp }: Header) => timestamp * 1000 - now() * leastPace
  let lead = Number.NEGATIVE_INFINITY
  const behindMs = () => (highest ? lead - leadOf(highest) : now() - beganAt)
  const isAdvancing = () => behindMs() < stalledAfterMs

  async function read(): Promise<Header> {
    const tagged = await readTag(trusted())
    if (tagged && (!highest || tagged.number > highest.number)) {
      highest = toHeader(tagged)
      lead = Math.max(lead, leadOf(highest))
    }
    const deep = isAdvancing() ? undefined : await readDeep(trusted())
    agreed = deep && (!tagged || deep.number > tagged.number) ? deep : tagged
    if (!agreed) throw new RaffleError('NOT_FINAL', 'The chain has no final block yet.')
    return toHeader(agreed)
  }
  return { read, isAdvancing, newest: () => highest, agreed: () => agreed }
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

/**
 * The second highest tag. Those who call it or a later block final must have the same block there; of three
 * or more two decide, and without an endpoint that has another one the others' tags count alone.
 */
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
  if (!agreed) throw new RaffleError('RPC_UNAVAILABLE', 'An endpoint misses a block below its final one.')
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
  return agreeAll(asked, (endpoint) => readBlock(endpoint, height), blockPrint)
}

/** Some endpoints return an error for a tag that they do not serve. */
function withoutTag(error: unknown): undefined {
  if (error instanceof RpcFailure && (error.kind === 'rpc' || error.kind === 'behind')) return undefined
  throw error
}
