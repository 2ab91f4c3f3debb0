import type { Address } from 'viem'

/** What a worker last saw of the key in ANCHOR_KEY; wei as decimal strings. */
export type AnchorKeyReport = {
  address: Address
  balanceWei: string
  gasPriceWei: string
  /** `other`: something else than the register lies at its address, and nothing can be anchored. */
  register: 'there' | 'missing' | 'other'
}

/** An anchor uses some 26,000; a node wants to see the limit paid. */
export const anchorGas = 60_000n
/** With less than this many the dashboard and an alert ask for gas. */
export const fewAnchors = 20

/** How many anchors the key can pay for at the price that was last seen. */
export function anchorsLeft({
  balanceWei,
  gasPriceWei,
}: Pick<AnchorKeyReport, 'balanceWei' | 'gasPriceWei'>): number {
  const price = BigInt(gasPriceWei) * anchorGas
  return price === 0n ? Number.MAX_SAFE_INTEGER : Number(BigInt(balanceWei) / price)
}
