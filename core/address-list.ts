import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import { RaffleError } from './errors.ts'

type Range = { address: IPv4 | IPv6; prefix: number; text: string }

/** Wider lists guard nothing: a /8 is the largest private network. */
const widest = { ipv4: 8, ipv6: 16 } as const

/** An empty list lets everybody in. */
export function isListed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  const own = parseAddress(address)
  return own !== undefined && list.some((entry) => covers(parseRange(entry), own))
}

/** An address or CIDR range in its canonical spelling; throws INVALID_IP, IP_TOO_BROAD. */
export function toListEntry(value: unknown): string {
  const range = typeof value === 'string' ? parseRange(value.trim()) : undefined
  if (!range) throw new RaffleError('INVALID_IP', 'IP 주소 또는 CIDR 형식이 올바르지 않습니다.')
  if (range.prefix < widest[range.address.kind()])
    throw new RaffleError('IP_TOO_BROAD', 'IP 범위가 너무 넓습니다. IPv4는 /8, IPv6는 /16보다 좁아야 합니다.')
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

/**
 * No octal, hexadecimal or short spellings, no zones; an IPv4 address inside an IPv6 one is that address. The
 * URL parser comes first because ipaddr.js takes `::1.2.3.4` for an IPv4 address too.
 */
function parseAddress(text: string): IPv4 | IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':') || !URL.canParse(`http://[${text}]/`))
    return undefined
  return ipaddr.process(new URL(`http://[${text}]/`).hostname.slice(1, -1))
}
