/** Enough for any purchase, and its amount in hundredths is still a safe integer. */
const most = 10_000_000_000

/** The quantity in a typed text; undefined unless it is a whole number from 1. */
export function parseQuantity(text: string): number | undefined {
  if (!/^\d{1,11}$/.test(text.trim())) return undefined
  const quantity = Number.parseInt(text, 10)
  return quantity >= 1 && quantity <= most ? quantity : undefined
}
