import type { PublicConfig } from '../../../core/public.ts'
import { bscId } from './eip1193.ts'

/** Where money would go, as the API names it. */
type Named = Pick<PublicConfig, 'operatorWallet' | 'tokenAddress' | 'chainId'>

/** Buying stops if the API ever names another wallet, token or chain than the ones compiled in. */
export function isSwapped(named: Named): boolean {
  const { PUBLIC_OPERATOR_WALLET: wallet, PUBLIC_USDT_ADDRESS: token } = import.meta.env
  const differs = (pinned: string | undefined, name: string | null) =>
    Boolean(pinned) && pinned?.toLowerCase() !== name?.toLowerCase()
  return (
    differs(wallet, named.operatorWallet) || differs(token, named.tokenAddress) || named.chainId !== bscId
  )
}
