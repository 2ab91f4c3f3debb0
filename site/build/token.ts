import type { AstroIntegration } from 'astro'
import { bscChainId } from '../../core/chain/register.ts'

/** Undefined where nothing is wrong. Beside chain 56 pages without a named token would accept any. @internal */
export function tokenProblem(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { PUBLIC_CHAIN_ID, PUBLIC_USDT_ADDRESS, PUBLIC_LOCAL_BEACON_KEY, PUBLIC_DEMO_RPC_URL } = env
  const chainId = Number(PUBLIC_CHAIN_ID || bscChainId)
  if (!Number.isSafeInteger(chainId) || chainId < 1) return 'PUBLIC_CHAIN_ID must be a number such as 56.'
  if (PUBLIC_USDT_ADDRESS && !/^0x[0-9a-f]{40}$/i.test(PUBLIC_USDT_ADDRESS))
    return 'PUBLIC_USDT_ADDRESS must be an address: 0x and 40 hexadecimal digits.'
  if (chainId !== bscChainId && !PUBLIC_USDT_ADDRESS)
    return `PUBLIC_USDT_ADDRESS must name the token that buys tickets on chain ${chainId}.`
  if (PUBLIC_LOCAL_BEACON_KEY && !PUBLIC_DEMO_RPC_URL)
    return 'PUBLIC_LOCAL_BEACON_KEY is for the pages of a local chain alone.'
  return undefined
}

/** Stops a build whose pages would have no token to compare the API's with. */
export const pinToken = (): AstroIntegration => ({
  name: 'blockdraw:pin-token',
  hooks: {
    'astro:config:setup': ({ command, logger }) => {
      const problem = command === 'build' ? tokenProblem(process.env) : undefined
      if (!problem) return
      logger.error(problem)
      process.exit(1)
    },
  },
})
