import type { Address } from 'viem'
import { unitsText } from '../../../core/money.ts'
import type { Eip1193 } from './eip1193.ts'
import { encodeBalanceOf, transferGas } from './transfer.ts'

export type Balances = {
  /** Token units, 10^-18 USDT. */
  usdt: bigint
  /** In wei; `fee` is the gas limit of a purchase at the current gas price. */
  bnb: bigint
  fee: bigint
}

/** Balances of an account, read through its own wallet only. Throws what the wallet throws. */
export async function readBalances(provider: Eip1193, owner: Address, token: Address): Promise<Balances> {
  const [usdt, bnb, price] = await Promise.all([
    provider.request({ method: 'eth_call', params: [{ to: token, data: encodeBalanceOf(owner) }, 'latest'] }),
    provider.request({ method: 'eth_getBalance', params: [owner, 'latest'] }),
    provider.request({ method: 'eth_gasPrice' }),
  ])
  return { usdt: numberIn(usdt), bnb: numberIn(bnb), fee: numberIn(price) * BigInt(transferGas) }
}

/** What is missing for a purchase of so many token units. */
export function missing({ usdt, bnb, fee }: Balances, units: bigint): 'usdt' | 'bnb' | 'both' | undefined {
  const [noUsdt, noBnb] = [usdt < units, bnb < fee || bnb === 0n]
  return noUsdt && noBnb ? 'both' : noUsdt ? 'usdt' : noBnb ? 'bnb' : undefined
}

/** Four decimals are enough of a coin that only pays for gas. */
export const bnbText = (wei: bigint): string => unitsText(wei, 4)

function numberIn(answer: unknown): bigint {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(answer)) throw new TypeError('no number')
  return BigInt(answer)
}
