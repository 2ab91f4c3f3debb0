import { type Address, numberToHex, pad } from 'viem'
import type { FlowsHead } from '../flows/file.ts'
import type { Transfer } from '../payment/payment.ts'
import { AnswerError, getFinal, isForgotten } from './chain.ts'
import type { Blocks } from './logs.ts'
import { failed, lacking, partial, passed, type Rpc, type VerifyResult } from './steps.ts'

/** A file whose form is right: its head, its lines as texts, and what each wallet holds after the last of them. */
export type FlowsToCheck = {
  head: FlowsHead
  texts: readonly string[]
  balances: ReadonlyMap<Address, bigint | null>
  /** What the file leaves open, a sentence each. */
  gaps: readonly string[]
}

type Reading = {
  /** Undefined where no logs are served, so that nothing is asked of the blocks behind the file. */
  read: ((blocks: Blocks) => Promise<Transfer[]>) | undefined
  /** Blocks of one query, and the most queries for what moved behind the file. */
  range: number
  logCalls: number
  /** Wallets that are asked for at the same time. */
  atOnce: number
  /** All blocks of the file were read. */
  isWhole: boolean
}

/**
 * Opening + in - out is what each wallet holds: at the last block of the file, or where the node has forgotten that state, at its
 * newest final one, with what was moved between.
 */
export async function checkBalances(
  rpc: Rpc,
  { head, balances, texts, gaps }: FlowsToCheck,
  { read, range, logCalls, atOnce, isWhole }: Reading,
): Promise<VerifyResult> {
  const known = [...balances].flatMap(([wallet, units]) => (units === null ? [] : [{ wallet, units }]))
  const count = `${texts.length.toLocaleString('en-US')} transfers of ${head.wallets.length} wallets`
  const share = isWhole ? count : `${count}, by blocks chosen at random`
  const until = Number(head.until.number)
  let at = until
  let told = await balancesAt(rpc, head.token, known, until, atOnce)
  const moved = new Map<string, bigint>()
  if (!told && read) {
    at = (await getFinal(rpc)).number
    if (Math.ceil((at - until) / range) > logCalls) at = until
    for (let from = until + 1; from <= at; from += range)
      for (const each of await read({ from, to: Math.min(from + range - 1, at) })) {
        moved.set(each.from, (moved.get(each.from) ?? 0n) - each.value)
        moved.set(each.to, (moved.get(each.to) ?? 0n) + each.value)
      }
    told = at > until ? await balancesAt(rpc, head.token, known, at, atOnce) : undefined
  }
  if (!told)
    return lacking(
      'flows',
      'skipped',
      `${share} agree with the chain, and the endpoint no longer has what was held at block ${until}.`,
      'archive',
    )
  for (const [index, { wallet, units }] of known.entries()) {
    const expected = units + (moved.get(wallet) ?? 0n)
    if (told[index] === expected) continue
    // Of the newest blocks a node may have the state before it has the logs.
    if (at > until)
      return lacking(
        'flows',
        'unknown',
        `Opening + in - out, and what moved since, is not what ${wallet} holds at block ${at}; what it held at block ${until} the endpoint no longer has.`,
        'archive',
      )
    return failed(
      'flows',
      `Opening + in - out is not what ${wallet} holds at block ${at}.`,
      told[index],
      expected,
    )
  }
  const text = [
    `${share}: those of the chain, and opening + in - out is what each held at block ${at}.`,
    ...gaps,
  ].join(' ')
  const isAll = isWhole && gaps.length === 0 && known.length === head.wallets.length
  return isAll ? passed('flows', text) : partial('flows', text)
}

/** What each wallet holds after a block; undefined where the node does not have that state. */
async function balancesAt(
  rpc: Rpc,
  token: Address,
  wallets: readonly { wallet: Address }[],
  block: number,
  atOnce: number,
): Promise<bigint[] | undefined> {
  const balances: bigint[] = []
  try {
    for (let at = 0; at < wallets.length; at += atOnce)
      balances.push(
        ...(await Promise.all(
          wallets.slice(at, at + atOnce).map(({ wallet }) => balanceOf(rpc, token, wallet, block)),
        )),
      )
    return balances
  } catch (error) {
    if (error instanceof AnswerError && !isForgotten(error)) throw error
    return undefined
  }
}

async function balanceOf(rpc: Rpc, token: Address, wallet: Address, block: number): Promise<bigint> {
  const data = `0x70a08231${pad(wallet).slice(2)}`
  const told = await rpc('eth_call', [{ to: token, data }, numberToHex(block)])
  if (typeof told !== 'string' || !/^0x[0-9a-f]{64}$/i.test(told))
    throw new AnswerError('It answered something that is no balance.')
  return BigInt(told)
}
