/** Enough for any purchase, and its amount in hundredths stays an exact number. */
const most = 10_000_000_000

/** The quantity in a typed text; undefined for all but whole numbers from 1 on. */
export function parseQuantity(text: string): number | undefined {
  if (!/^\d{1,11}$/.test(text.trim())) return undefined
  const quantity = Number.parseInt(text, 10)
  return quantity >= 1 && quantity <= most ? quantity : undefined
}
