import { findFirstBlock } from '../../core/chain/first-block.ts'
import { RaffleError } from '../../core/errors.ts'
import { applyBacklog, getBacklogs, noteForgotten } from '../../db/refund/backlog.ts'
import type { Chain, Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { nothingSent, toOutgoing } from './outgoing.ts'

/** Two of its runs, a minute apart: so many blocks later blocks that were not shown are missing all the same. */
const missingBlocks = 64n
/** Final blocks at which the old blocks of a backlog were first not shown. */
const missingSince = new WeakMap<object, Map<string, bigint>>()

/**
 * What a wallet sent before the watch knew it or the token, from the first sale start on, or from where the endpoints can
 * still show it: what they have forgotten never comes back, and nobody waits for it. What they do not show for a moment
 * is not forgotten: it is given up only when a later run misses it too, and until then the backlog stays.
 */
export async function readBacklogs({ db, chain, log }: Deps, since: Date, head: Header): Promise<void> {
  const missing = missingSince.get(chain) ?? new Map<string, bigint>()
  missingSince.set(chain, missing)
  for (const { wallet, token, from: stored, to } of await getBacklogs(db)) {
    const key = `${wallet} ${token}`
    const watch = { tokens: [token], wallets: [wallet], outgoing: true }
    const read = (from: bigint, end: bigint) =>
      ifKept(chain, from, () => chain.transfers(watch, { from, to: end, head: head.number }))
    const shown = async (from: bigint): Promise<bigint | undefined> => {
      const time = since.getTime() / 1000
      const end = async (number: number) => (await read(BigInt(number), BigInt(number)))?.end
      const found = await findFirstBlock(end, {
        ...{ time, from: Number(from) },
        head: { number: Number(head.number), timestamp: head.timestamp },
      })
      if ('height' in found) return BigInt(found.height)
      const fromBlock = found.missing + 1
      const first = missing.get(key) ?? head.number
      missing.set(key, first)
      if (head.number - first < missingBlocks) {
        log.warn(
          { wallet, token, fromBlock },
          'the endpoints do not show what a wallet sent before this block',
        )
        return undefined
      }
      log.fatal(
        { wallet, token, fromBlock },
        'what a wallet sent before this block is forgotten by the endpoints',
      )
      await noteForgotten(db, wallet)
      return BigInt(fromBlock)
    }
    let from = stored ?? (await shown(0n))
    while (from !== undefined && from <= to) {
      const step = await read(from, to)
      from = step ? step.end.number + 1n : await shown(from)
      if (from === undefined) break
      if (step) missing.delete(key)
      await applyBacklog(db, { wallet, token }, from, step ? toOutgoing(step) : nothingSent)
    }
    if (from === undefined) continue
    missing.delete(key)
    await applyBacklog(db, { wallet, token }, from, nothingSent)
  }
}

/** Undefined if the endpoints have forgotten this block. */
async function ifKept<T>(chain: Chain, number: bigint, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return (await chain.header(number)) && (await read())
  } catch (error) {
    if (error instanceof RaffleError && error.code === 'HISTORY_MISSING') return undefined
    throw error
  }
}
