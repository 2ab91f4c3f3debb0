import { isIP } from 'node:net'
import { RaffleError } from '../../core/errors.ts'
import { hostNameOf } from '../../core/server/witnesses.ts'

/** Names that cannot be registered: loopback, containers and services of one network. */
const ownNames = /^[^.]+$|\.(localhost|local|internal)$/

/**
 * Refuses a Host that is not ours (421), so that a foreign name pointed at this server cannot act as it in a
 * browser (DNS rebinding). The names are those of ALLOWED_ORIGINS and PUBLIC_API_URL; if neither is set, any
 * well-formed Host is accepted. IP addresses, `localhost`, single labels such as a compose service's name,
 * and `.localhost`, `.local`, `.internal` are always accepted: an attacker cannot make a visitor's browser
 * use them.
 */
export function hostCheck(urls: readonly string[]) {
  const names = new Set(urls.map((url) => new URL(url).hostname.toLowerCase()))
  let lastGood: string | undefined

  return (host: string | null): void => {
    if (host === null || host === lastGood) return
    const name = hostNameOf(host)
    if (name === undefined || (names.size > 0 && !names.has(name) && !isIP(name) && !ownNames.test(name)))
      throw new RaffleError('MISDIRECTED', 'This server does not answer for that host.')
    lastGood = host
  }
}
