import { bscChainId, usdtOnBsc } from '../../../core/chain/register.ts'
import { bscId } from './eip1193.ts'

/**
 * The token that buys tickets, compiled into the page and never taken from a server. Undefined only on
 * another chain without a named token, which the build refuses.
 */
export const pinnedToken = (): string | undefined =>
  import.meta.env.PUBLIC_USDT_ADDRESS || (bscId === bscChainId ? usdtOnBsc : undefined)
