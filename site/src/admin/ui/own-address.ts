import ipaddr from 'ipaddr.js'

const inside = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

const rangeOf = (text: string): string | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text).range() : undefined

/**
 * Whether the server sees a proxy's address in place of the visitor's: one from inside a network, on a page that
 * was opened by a name. Who opens it by an address of such a network is inside himself, as is a local system.
 */
export function isProxyAddress(ip: string, pageHost: string): boolean {
  const range = rangeOf(ip)
  if (range === undefined || !inside.has(range)) return false
  const own = pageHost === 'localhost' ? 'loopback' : rangeOf(pageHost.replace(/^\[|\]$/g, ''))
  return own === undefined || own !== range
}
