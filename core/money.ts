/** Token units (10^-18 USDT) in one hundredth of a USDT. */
const unitsPerCent = 10n ** 16n

/** Hundredths of a USDT in `units`, rounded down. */
export const centsOf = (units: bigint): bigint => units / unitsPerCent

export const unitsOf = (cents: bigint | number): bigint => BigInt(cents) * unitsPerCent

/** The most tickets that a payment, and an event, can have: their numbers are 32-bit integers in the database. */
export const mostTickets = 2_000_000_000

/** Whole tickets that `units` buy, the remainder buys nothing; undefined for more than a payment can have. */
export const ticketsFor = (units: bigint, ticketPrice: bigint): number | undefined => {
  if (ticketPrice <= 0n) throw new RangeError('ticketPrice must be above zero')
  const count = units / ticketPrice
  return count > BigInt(mostTickets) ? undefined : Number(count)
}

/** 9900n -> "99", 9950n -> "99.50". @internal */
export function formatCents(cents: bigint): string {
  const whole = (cents / 100n).toString()
  const rest = cents % 100n
  return rest === 0n ? whole : `${whole}.${rest.toString().padStart(2, '0')}`
}

/** Parses a plain decimal such as "3" or "2.50" into hundredths; undefined for any other text. */
export function parseCents(text: string): bigint | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text)
  if (!match) return undefined
  return BigInt(match[1] as string) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'))
}

/** Hundredths of a USDT as a person reads them: 370350000 -> "3,703,500", 9950 -> "99.50". */
export const usdt = (cents: bigint | number): string => groupThousands(formatCents(BigInt(cents)))

/** An amount of 10^-18, such as wei, cut after `digits` and never rounded up: nobody can spend what is not there. */
export function unitsText(units: bigint, digits = 18): string {
  const scale = 10n ** 18n
  const rest = (units % scale).toString().padStart(18, '0').slice(0, digits).replace(/0+$/, '')
  return groupThousands(`${units / scale}.${rest}`)
}

/** Thousands separated in a decimal: "3703500.50" -> "3,703,500.50". */
function groupThousands(decimal: string): string {
  const [whole = '', rest] = decimal.split('.')
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return rest ? `${thousands}.${rest}` : thousands
}

/** Two decimals, cut, without a sign; all 18 where two would show nothing: "41,320", "99.50", "0.000000000000000001". */
export function usdtOf(units: bigint | string): string {
  const value = BigInt(units)
  const size = value < 0n ? -value : value
  return size > 0n && size < unitsPerCent ? unitsText(size) : usdt(centsOf(size))
}

/** First `head` and last `tail` characters around an ellipsis; short texts stay whole. */
export const shorten = (text: string, head: number, tail: number): string =>
  text.length <= head + tail ? text : `${text.slice(0, head)}…${tail > 0 ? text.slice(-tail) : ''}`
