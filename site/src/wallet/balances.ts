import { atom, onMount } from 'nanostores'
import { $purchases } from '../buy/purchase.ts'
import { $config } from '../live/live.ts'
import { type Balances, readBalances } from './read-balances.ts'
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
