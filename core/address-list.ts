import { RaffleError } from './errors.ts'

/** An address and how many of its leading bits count; both families as one number. */
type Range = { bits: 32 | 128; value: bigint; prefix: number; text: string }

/** Wider lists guard nothing: a /8 is the largest private network. */
const narrowest = { 32: 8, 128: 16 } as const

/** An empty list lets everybody in. */
export function isListed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  const own = parseRange(address)
  return own !== undefined && list.some((entry) => covers(parseRange(entry), own))
}

/** An address or CIDR range in its canonical spelling; throws INVALID_IP, IP_TOO_BROAD. */
export function toListEntry(value: unknown): string {
  const range = typeof value === 'string' ? parseRange(value.trim()) : undefined
  if (!range) throw new RaffleError('INVALID_IP', 'IP 주소 또는 CIDR 형식이 올바르지 않습니다.')
  if (range.prefix < narrowest[range.bits])
    throw new RaffleError('IP_TOO_BROAD', 'IP 범위가 너무 넓습니다. IPv4는 /8, IPv6는 /16보다 좁아야 합니다.')
  return range.text
}

function covers(range: Range | undefined, own: Range): boolean {
  if (range?.bits !== own.bits) return false
  const shift = BigInt(range.bits - range.prefix)
  return range.value >> shift === own.value >> shift
}

function parseRange(text: string): Range | undefined {
  const [address = '', prefixText, more] = text.split('/')
  if (more !== undefined) return undefined
  const found = parseV4(address) ?? parseV6(address)
  if (!found) return undefined
  const { bits, value, text: spelled } = found
  if (prefixText === undefined) return { bits, value, prefix: bits, text: spelled }
  if (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > bits) return undefined
  return { bits, value, prefix: Number(prefixText), text: `${spelled}/${Number(prefixText)}` }
}

type Parsed = Pick<Range, 'bits' | 'value' | 'text'>

function parseV4(text: string): Parsed | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined
  return { bits: 32, value: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n), text }
}

/** The URL parser knows every spelling and answers the canonical one; an IPv4 address inside is that address. */
function parseV6(text: string): Parsed | undefined {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(':') || !URL.canParse(`http://[${text}]/`))
    return undefined
  const spelled = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  const [head = '', tail] = spelled.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  const value = groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
  if (value >> 32n !== 0xffffn) return { bits: 128, value, text: spelled }
  const v4 = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  return { bits: 32, value: value & 0xffffffffn, text: v4 }
}
