import type { Deps } from '../deps.ts'
import { expectNamedSite, siteOrigins } from '../http/site-origins.ts'
import type { OpenCall } from './guard.ts'

/** The site on which a passkey is made and used: ours as it is configured, as for the messages that wallets sign. */
export function callOrigin(deps: Pick<Deps, 'allowedOrigins' | 'addresses' | 'isDevelopment'>) {
  const sites = siteOrigins(deps)
  return ({ request, peer }: Pick<OpenCall, 'request' | 'peer'>): string => {
    expectNamedSite(deps)
    const server = peer === undefined ? null : { requestIP: () => ({ address: peer }) }
    return sites.originOf({ request, server })
  }
}
export type CallOrigin = ReturnType<typeof callOrigin>
