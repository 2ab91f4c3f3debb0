import { bscChainId, usdtOnBsc } from '../../../core/usdt.ts'
import { bscId } from './eip1193.ts'

/**
 * The token that buys tickets, by what is compiled in and never by what a server says. Undefined only on another
 * chain without a token named for it, which no build gets through.
 */
export const pinnedToken = (): string | undefined =>
  import.meta.env.PUBLIC_USDT_ADDRESS || (bscId === bscChainId ? usdtOnBsc : undefined)
