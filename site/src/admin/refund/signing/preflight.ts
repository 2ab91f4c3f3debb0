import type { Eip1193 } from '../../../wallet/eip1193.ts'
import type { Terms } from './types.ts'
import { readAccounts, readBnb, readChainId, readGasPrice, readUsdt } from './wallet.ts'

/** Why nothing can be signed yet; amounts in units of 10^-18. */
export type Obstacle = { kind: 'account' | 'chain' } | { kind: 'usdt' | 'bnb'; needed: bigint; held: bigint }

/** The wallet's balances, and the most that all open rows need of them. */
export type Preflight = { obstacles: Obstacle[]; usdt: bigint; bnb: bigint; owed: bigint; fees: bigint }

/** A transfer's gas limit: the most that a row may cost. */
const gasPerRow = 90_000n

/**
 * Checks before any request to the wallet: the right account, the right chain, and enough USDT and BNB for
 * all open rows.
 */
export async function preflight(
  provider: Eip1193,
  terms: Terms,
  left: readonly { units: string }[],
): Promise<Preflight> {
  const [accounts, chainId] = await Promise.all([readAccounts(provider), readChainId(provider)])
  const obstacles: Obstacle[] = []
  const isOwn = (account: string) => account.toLowerCase() === terms.wallet.toLowerCase()
  // The first account is the one that the wallet would sign with.
  if (!accounts[0] || !isOwn(accounts[0])) obstacles.push({ kind: 'account' })
  const owed = left.reduce((sum, { units }) => sum + BigInt(units), 0n)
  if (chainId !== terms.chainId) {
    obstacles.push({ kind: 'chain' })
    return { obstacles, usdt: 0n, bnb: 0n, owed, fees: 0n }
  }
  const [usdt, bnb, price] = await Promise.all([
    readUsdt(provider, terms.token, terms.wallet),
    readBnb(provider, terms.wallet),
    readGasPrice(provider),
  ])
  const fees = price * gasPerRow * BigInt(left.length)
  if (usdt < owed) obstacles.push({ kind: 'usdt', needed: owed, held: usdt })
  if (bnb < fees) obstacles.push({ kind: 'bnb', needed: fees, held: bnb })
  return { obstacles, usdt, bnb, owed, fees }
}
