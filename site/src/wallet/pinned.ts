import type { PublicConfig } from '../../../core/public.ts'
import { bscId } from './eip1193.ts'
import { pinnedToken } from './token.ts'

/** Where money would go according to the API. */
type Named = Pick<PublicConfig, 'operatorWallet' | 'tokenAddress' | 'chainId'>

/** True if the API names another wallet, token or chain than the compiled ones; buying then stops. */
export function isSwapped(named: Named): boolean {
  const { PUBLIC_OPERATOR_WALLET: wallet } = import.meta.env
  return (
    (Boolean(wallet) && wallet?.toLowerCase() !== named.operatorWallet?.toLowerCase()) ||
    pinnedToken()?.toLowerCase() !== named.tokenAddress.toLowerCase() ||
    named.chainId !== bscId
  )
}
