import { atom, onMount } from 'nanostores'
import type { Address } from 'viem'
import { unitsText } from '../../../core/money.ts'
import { $purchases } from '../buy/purchase.ts'
import { $config } from '../live/live.ts'
import type { Eip1193 } from './eip1193.ts'
import { encodeBalanceOf, transferGas } from './transfer.ts'
import { $wallet, walletProvider } from './wallet.ts'

const everyMs = 15_000

/** Balances of the connected wallet on BNB Smart Chain; undefined without one, or until it answers. */
export const $balances = atom<Balances | undefined>()

onMount($balances, () => {
  let turn = 0
  const ask = async () => {
    const mine = ++turn
    const { address, isOnBsc } = $wallet.get()
    const token = $config.get()?.tokenAddress
    const provider = walletProvider()
    if (!address || !isOnBsc || !token || !provider) return $balances.set(undefined)
    const balances = await readBalances(provider, address, token).catch(() => undefined)
    if (mine === turn) $balances.set(balances)
  }
  let token: string | undefined
  const offs = [
    $wallet.subscribe(() => void ask()),
    $purchases.listen(() => void ask()),
    $config.listen((config) => {
      if (config?.tokenAddress === token) return
      token = config?.tokenAddress
      void ask()
    }),
  ]
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void ask()
  }, everyMs)
  // The visitor returns from another window, perhaps with more in the wallet.
  const back = () => void ask()
  globalThis.addEventListener?.('focus', back) // the build has no window
  return () => {
    turn++
    globalThis.removeEventListener?.('focus', back)
    clearInterval(timer)
    for (const off of offs) off()
  }
})

export type Balances = {
  /** Token units, 10^-18 USDT. */
  usdt: bigint
  /** In wei; `fee` is the gas limit of a purchase at the current gas price. */
  bnb: bigint
  fee: bigint
}

/** Read through the account's own wallet only. Throws what the wallet throws. @internal */
export async function readBalances(provider: Eip1193, owner: Address, token: Address): Promise<Balances> {
  const [usdt, bnb, price] = await Promise.all([
    provider.request({ method: 'eth_call', params: [{ to: token, data: encodeBalanceOf(owner) }, 'latest'] }),
    provider.request({ method: 'eth_getBalance', params: [owner, 'latest'] }),
    provider.request({ method: 'eth_gasPrice' }),
  ])
  return { usdt: numberIn(usdt), bnb: numberIn(bnb), fee: numberIn(price) * BigInt(transferGas) }
}

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
