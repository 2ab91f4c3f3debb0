import { RaffleError } from '../../core/errors.ts'
import { askUntil, expectSame, witnesses } from './agree.ts'
import { readBlock } from './blocks.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { type Header, toHeader } from './shapes.ts'

export type Finality = {
  /** The newest block that is final by the tag, or by 240 confirmations while the tag does not move. */
  read: () => Promise<Header>
  /** False once the tag has not moved for a minute: then an unknown hash proves nothing. */
  isAdvancing: () => boolean
  /** The newest block seen with the tag. */
  newest: () => Header | undefined
}

const stalledAfterMs = 60_000
/** Past this depth more than two thirds of BNB Smart Chain's validators have built on a block. */
const confirmations = 240n

/** Remembers, by this process's own clock, when the `finalized` tag last moved. */
export function watchFinality(
  endpoints: readonly Endpoint[],
  now: () => number = () => performance.now(),
): Finality {
  let highest: Header | undefined
  let movedAt = now()
  const isAdvancing = () => now() - movedAt < stalledAfterMs

  async function read(): Promise<Header> {
    const tagged = await readTag(endpoints)
    if (tagged && (!highest || tagged.number > highest.number)) {
      highest = tagged
      movedAt = now()
    }
    const deep = isAdvancing() ? undefined : await readDeep(endpoints)
    const newest = deep && (!tagged || deep.number > tagged.number) ? deep : tagged
    if (!newest) throw new RaffleError('NOT_FINAL', 'The chain has no final block yet.')
    return newest
  }
  return { read, isAdvancing, newest: () => highest }
}

/**
 * The newest block that two endpoints (or the only one) call final: the second highest tag. The endpoint
 * that is ahead must have the same block at that height. Undefined if the tag is not served.
 */
async function readTag(endpoints: readonly Endpoint[]): Promise<Header | undefined> {
  const enough = witnesses(endpoints)
  const tags: { endpoint: Endpoint; header: Header }[] = []
  await askUntil(endpoints, endpoints.length, async (endpoint) => {
    const block = await readBlock(endpoint, 'finalized').catch(withoutTag)
    if (block) tags.push({ endpoint, header: toHeader(block) })
    return block ?? null
  }).catch((error) => {
    if (tags.length < enough) throw error
  })
  if (tags.length < enough) return undefined
  tags.sort((a, b) => (a.header.number < b.header.number ? 1 : -1))
  const [ahead, agreed] = [tags[0], tags[enough - 1]]
  if (!ahead || !agreed) return undefined
  if (ahead.header.number > agreed.header.number) {
    const same = await askUntil([ahead.endpoint], 1, (endpoint) => readBlock(endpoint, agreed.header.number))
    if (!same) throw new RaffleError('RPC_UNAVAILABLE', 'An endpoint misses a block below its final one.')
    expectSame([agreed.header.hash, (same[0] as Header).hash])
  } else expectSame([agreed.header.hash, ahead.header.hash])
  return agreed.header
}

/** 240 below the lowest head of all configured endpoints, which must all answer with the same block. */
async function readDeep(endpoints: readonly Endpoint[]): Promise<Header | undefined> {
  const heads = await askUntil(endpoints, endpoints.length, (endpoint) => readBlock(endpoint, 'latest'))
  if (!heads) return undefined
  const [lowest] = heads.map((head) => head.number).sort((a, b) => (a < b ? -1 : 1))
  const height = (lowest ?? 0n) - confirmations
  if (height < 0n) return undefined
  const blocks = await askUntil(endpoints, endpoints.length, (endpoint) => readBlock(endpoint, height))
  if (!blocks) return undefined
  expectSame(blocks.map((block) => block.hash))
  return toHeader(blocks[0] as Header)
}

/** Some endpoints return an error for a tag that they do not serve. */
function withoutTag(error: unknown): undefined {
  if (error instanceof RpcFailure && (error.kind === 'rpc' || error.kind === 'behind')) return undefined
  throw error
}
