import type { PublicConfig } from '../../../core/public.ts'
import { bscId } from './eip1193.ts'
import { pinnedToken } from './token.ts'

/** Where money would go, as the API names it. */
type Named = Pick<PublicConfig, 'operatorWallet' | 'tokenAddress' | 'chainId'>

/** Buying stops if the API ever names another wallet, token or chain than the ones compiled in. */
export function isSwapped(named: Named): boolean {
  const { PUBLIC_OPERATOR_WALLET: wallet } = import.meta.env
  return (
    (Boolean(wallet) && wallet?.toLowerCase() !== named.operatorWallet?.toLowerCase()) ||
    pinnedToken()?.toLowerCase() !== named.tokenAddress.toLowerCase() ||
    named.chainId !== bscId
  )
}
