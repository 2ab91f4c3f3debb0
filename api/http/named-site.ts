import { RaffleError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'

/**
 * In production only ALLOWED_ORIGINS names the site: without it a caller's Host would choose the domain of what holders sign.
 * What `bun run start` runs beside its own site is not meant. Throws MISDIRECTED.
 */
export function expectNamedSite({
  allowedOrigins,
  isDevelopment,
  addresses,
}: Pick<Deps, 'allowedOrigins' | 'isDevelopment' | 'addresses'>): void {
  const isStarted = addresses.siteProxyToken !== undefined
  if (isDevelopment !== true && !isStarted && allowedOrigins.length === 0)
    throw new RaffleError(
      'MISDIRECTED',
      'This server does not know the address of its site: ALLOWED_ORIGINS names it.',
    )
}
