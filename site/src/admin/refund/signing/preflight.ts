import { register } from '../../../../../core/chain/register.ts'
import { payeesPerCall } from '../../../../../core/refund/register-calls.ts'
import type { Eip1193 } from '../../../wallet/eip1193.ts'
import { type RegisterState, readRegister } from './register.ts'
import type { SigningPath, Terms } from './types.ts'
import { readAccounts, readAllowance, readBnb, readChainId, readGasPrice, readUsdt } from './wallet.ts'

/** Why nothing can be signed yet; amounts in units of 10^-18. */
export type Obstacle = { kind: 'account' | 'chain' } | { kind: 'usdt' | 'bnb'; needed: bigint; held: bigint }

/** The wallet's balances and the register as its node sees them, and the most that all open rows need. */
export type Preflight = {
  obstacles: Obstacle[]
  usdt: bigint
  bnb: bigint
  owed: bigint
  fees: bigint
  /** Undefined on another chain. */
  register: RegisterState | undefined
  /** Units that the register may take of this wallet. */
  allowance: bigint
}

/** The most gas that so many rows may cost; a transfer and an allowance have a limit of 90,000. */
const gasOf = (rows: number, byRegister: boolean): bigint =>
  byRegister
    ? 66_000n * BigInt(rows) + 180_000n * BigInt(Math.ceil(rows / payeesPerCall))
    : 90_000n * BigInt(rows)

type Needs = {
  /** All open rows of this wallet. */
  left: readonly { units: string }[]
  path?: SigningPath | undefined
}

/**
 * Checks before any request to the wallet: the right account, the right chain, and enough USDT and BNB for
 * all open rows on the path that will be taken.
 */
export async function preflight(provider: Eip1193, terms: Terms, { left, path }: Needs): Promise<Preflight> {
  const [accounts, chainId] = await Promise.all([readAccounts(provider), readChainId(provider)])
  const obstacles: Obstacle[] = []
  const isOwn = (account: string) => account.toLowerCase() === terms.wallet.toLowerCase()
  // The first account is the one that the wallet would sign with.
  if (!accounts[0] || !isOwn(accounts[0])) obstacles.push({ kind: 'account' })
  const owed = left.reduce((total, { units }) => total + BigInt(units), 0n)
  if (chainId !== terms.chainId) {
    obstacles.push({ kind: 'chain' })
    return { obstacles, usdt: 0n, bnb: 0n, owed, fees: 0n, register: undefined, allowance: 0n }
  }
  const [usdt, bnb, price, state, allowance] = await Promise.all([
    readUsdt(provider, terms.token, terms.wallet),
    readBnb(provider, terms.wallet),
    readGasPrice(provider),
    readRegister(provider),
    readAllowance(provider, terms.token, terms.wallet, register.address),
  ])
  const fees = price * gasOf(left.length, state === 'ready' && (path ?? 'register') === 'register')
  if (usdt < owed) obstacles.push({ kind: 'usdt', needed: owed, held: usdt })
  if (bnb < fees) obstacles.push({ kind: 'bnb', needed: fees, held: bnb })
  return { obstacles, usdt, bnb, owed, fees, register: state, allowance }
}
