import { bscChainId, usdtOnBsc } from '../../../core/chain/register.ts'
import type { PublicConfig } from '../../../core/live/public.ts'
import { bscId } from './eip1193.ts'

type Named = Pick<PublicConfig, 'operatorWallet' | 'tokenAddress' | 'chainId'>

/** True if the API names another wallet, token or chain than the compiled ones; buying then stops. */
export function isSwapped(named: Named): boolean {
  const { PUBLIC_OPERATOR_WALLET: wallet } = import.meta.env
  return (
    (Boolean(wallet) && wallet?.toLowerCase() !== named.operatorWallet?.toLowerCase()) || isOtherMoney(named)
  )
}

/** True if the API names another token or chain than the compiled ones; nothing is signed then. */
export const isOtherMoney = ({ tokenAddress, chainId }: Omit<Named, 'operatorWallet'>): boolean =>
  pinnedToken()?.toLowerCase() !== tokenAddress.toLowerCase() || chainId !== bscId

/** Compiled in, never from a server. Undefined only on another chain without one, which the build refuses. */
export const pinnedToken = (): string | undefined =>
  import.meta.env.PUBLIC_USDT_ADDRESS || (bscId === bscChainId ? usdtOnBsc : undefined)
