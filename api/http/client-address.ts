import { BlockList, isIP } from 'node:net'
import { countries } from '../../core/house/rules.ts'

export type AddressRules = {
  /** CIDR list of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  /** Token that the local site server sends with requests it forwards; only the token makes it trusted. */
  siteProxyToken: string | undefined
  /** COUNTRY_HEADER: where trusted proxies tell a visitor's country. */
  countryHeader?: string | undefined
}

/** What comes with a call; no server where the app is called without a port. */
export type Call = {
  request: Request
  server?: { requestIP: (request: Request) => { address: string } | null } | null | undefined
}

/** Who calls, as the connection and our own proxies tell. Headers from other peers are ignored. */
export function visitors({ trustedProxies, siteProxyToken, countryHeader }: AddressRules) {
  const isTrusted = trustedAddress(trustedProxies)
  const isFromSite = ({ headers }: Request): boolean =>
    siteProxyToken !== undefined && headers.get('x-site-proxy') === siteProxyToken
  const peerOf = ({ request, server }: Call): string | undefined => {
    const peer = server?.requestIP(request)?.address
    return peer && fold(peer)
  }
  const isProxy = (peer: string | undefined): boolean => peer !== undefined && isTrusted(peer)

  return {
    /** The peer, or behind trusted proxies the right-most entry that is not one of them. */
    addressOf(call: Call): string {
      const peer = peerOf(call) ?? '127.0.0.1'
      const fromSite = isFromSite(call.request)
      if (!fromSite && !isTrusted(peer)) return peer
      const forwarded = (call.request.headers.get('x-forwarded-for') ?? '')
        .split(',')
        .map((part) => fold(withoutPort(part.trim())))
      if (!fromSite) while (forwarded.length > 1 && isTrusted(forwarded.at(-1) as string)) forwarded.pop()
      const last = forwarded.at(-1) ?? ''
      return isIP(last) ? last : peer
    },
    /** Whether one of our proxies forwarded the request; its X-Forwarded headers are then trusted. */
    isPassedOn: (call: Call): boolean => isFromSite(call.request) || isProxy(peerOf(call)),
    /** Countries that the visitor may be in, as a trusted proxy tells. One that is told twice is both, so a
     * visitor who sends the header too opens nothing. */
    countriesOf(call: Call): string[] {
      if (!countryHeader || isFromSite(call.request) || !isProxy(peerOf(call))) return []
      const told = (call.request.headers.get(countryHeader) ?? '').toUpperCase().split(',')
      return told.map((one) => one.trim()).filter((one) => countries.has(one))
    },
  }
}

/** Whether the page sells to a visitor of these countries; where nobody tells one, it does. */
export const isClosedFor = (visitor: readonly string[], closed: readonly string[] = []): boolean =>
  visitor.some((one) => closed.includes(one))

function trustedAddress(trustedProxies: readonly string[]) {
  const trusted = new BlockList()
  for (const cidr of trustedProxies) {
    const [address = '', bits] = cidr.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  // One proxy passes nearly every call on.
  let last: { address: string; isTrusted: boolean } | undefined
  return (address: string): boolean => {
    if (last?.address !== address) {
      const isTrusted = isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
      last = { address, isTrusted }
    }
    return last.isTrusted
  }
}

/** Some proxies add the port: `1.2.3.4:5678`, `[::1]:5678`. */
const withoutPort = (text: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

/** An IPv4 address that arrives over an IPv6 socket is the same visitor. */
const fold = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
