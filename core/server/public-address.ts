import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to the internet at large: not this machine, a private network, a cloud's own services, many
 * receivers at once, or one of those in the clothes of IPv6. What is unknown is none.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast'
  const six = parsed as ipaddr.IPv6
  // Mapped, translated and tunnelled addresses end at an IPv4 address that this check would not see.
  return six.range() === 'unicast' && six.match(ipaddr.IPv6.parse('2000::'), 3)
}
