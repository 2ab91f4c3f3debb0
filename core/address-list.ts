import type { IPv4, IPv6 } from 'ipaddr.js'
import ipaddr from 'ipaddr.js'
import { RaffleError } from './errors.ts'

type Range = { address: IPv4 | IPv6; prefix: number; text: string }

/** Wider ranges protect nothing: a /8 is the largest private network. */
const widest = { ipv4: 8, ipv6: 16 } as const

/** An empty list allows every address. */
export function isListed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  const own = parseAddress(address)
  return own !== undefined && list.some((entry) => covers(parseRange(entry), own))
}

/** An address or CIDR range in its canonical spelling; throws INVALID_IP, IP_TOO_BROAD. */
export function toListEntry(value: unknown): string {
  const range = typeof value === 'string' ? parseRange(value.trim()) : undefined
  if (!range) throw new RaffleError('INVALID_IP')
  if (range.prefix < widest[range.address.kind()]) throw new RaffleError('IP_TOO_BROAD')
  return range.text
}

const covers = (range: Range | undefined, own: IPv4 | IPv6): boolean =>
  range !== undefined && range.address.kind() === own.kind() && own.match(range.address, range.prefix)

function parseRange(text: string): Range | undefined {
  const [spelled = '', prefix, more] = text.split('/')
  const address = parseAddress(spelled)
  if (!address || more !== undefined) return undefined
  const bits = address.toByteArray().length * 8
  if (prefix === undefined) return { address, prefix: bits, text: `${address}` }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined
  return { address, prefix: Number(prefix), text: `${address}/${Number(prefix)}` }
}

/** No octal, hexadecimal or short forms, no zones. The URL parser comes first: ipaddr.js reads `::1.2.3.4` as IPv4. */
function parseAddress(text: string): IPv4 | IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':') || !URL.canParse(`http://[${text}]/`))
    return undefined
  return ipaddr.process(new URL(`http://[${text}]/`).hostname.slice(1, -1))
}

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

/** What limits count by: an IPv4 address, or the IPv6 /64 of a household; of four digits a group, as a /56 and a /48 are its beginning. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.IPv6.parse(address.replace(/%.*/, ''))
  if (parsed.isIPv4MappedAddress()) return `${parsed.toIPv4Address()}`
  const groups = parsed.parts.slice(0, 4)
  return groups.map((group) => group.toString(16).padStart(4, '0')).join(':')
}

/** Narrowest first. One IPv4 address is one customer; of IPv6 a customer has a /64, a /56 or a /48, which have totals. */
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
