import ipaddr from 'ipaddr.js'

/** A part of the internet that a limit counts as one. */
export type AddressKey = {
  key: string
  /** All keys inside of this one lie from `key` to `last`, byte by byte. */
  last: string
  /** So many times the limit of one household is its total. */
  times: number
}

/** Totals of an IPv6 customer: households of a /64 inside of a /56 and a /48, by the length of their text. */
const totals = [
  { length: 19, times: 1 },
  { length: 17, times: 2 },
  { length: 14, times: 4 },
] as const

/** What limits count by: an IPv4 address, or the IPv6 /64 of a household or server. */
export const addressKey = (address: string): string => (address.includes(':') ? household(address) : address)

/**
 * The keys of an address, narrowest first. One IPv4 address is one customer; of IPv6 a customer has a /64, a
 * /56 or a /48, so that the two wider ones have totals of their own.
 */
export function addressKeys(address: string): readonly AddressKey[] {
  const narrow = addressKey(address)
  if (!narrow.includes(':')) return [exactKey(narrow)]
  return totals.map(({ length, times }) => {
    const key = narrow.slice(0, length)
    return { key, last: `${key}~`, times }
  })
}

/** A key that is not an address, such as that of a session. */
export const exactKey = (key: string): AddressKey => ({ key, last: key, times: 1 })

/** Groups have four digits, so that a /56 and a /48 are the beginning of their text. */
function household(address: string): string {
  try {
    const parsed = ipaddr.IPv6.parse(address)
    if (parsed.isIPv4MappedAddress()) return `${parsed.toIPv4Address()}`
    return parsed.parts
      .slice(0, 4)
      .map((group) => group.toString(16).padStart(4, '0'))
      .join(':')
  } catch {
    return address
  }
}
