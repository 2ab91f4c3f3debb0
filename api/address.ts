import { BlockList, isIP } from 'node:net'

export type AddressRules = {
  /** CIDR list of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Token that the local site server sends with what it passes on; it alone is believed by it. */
  siteProxyToken: string | undefined
}

/**
 * The visitor's address: the peer, or behind trusted proxies the right-most entry that is not one of them.
 * A header from anybody else is ignored.
 */
export function clientAddress({ trustedProxies, siteProxyToken }: AddressRules) {
  const trusted = new BlockList()
  for (const cidr of trustedProxies) {
    const [address = '', bits] = cidr.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (request: Request, peerAddress: string | undefined): string => {
    const peer = fold(peerAddress ?? '127.0.0.1')
    const fromSite = siteProxyToken !== undefined && request.headers.get('x-site-proxy') === siteProxyToken
    if (!fromSite && !isTrusted(peer)) return peer
    const forwarded = (request.headers.get('x-forwarded-for') ?? '')
      .split(',')
      .map((part) => fold(part.trim()))
    if (!fromSite) while (forwarded.length > 1 && isTrusted(forwarded.at(-1) as string)) forwarded.pop()
    const last = forwarded.at(-1) ?? ''
    return isIP(last) ? last : peer
  }
}

/** An IPv4 address that came in over an IPv6 socket is the same visitor. */
const fold = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
