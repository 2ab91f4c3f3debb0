import type { Hash } from 'viem'
import type { PurchaseClaim } from '../shell/api.ts'
import { purchasesKey, storage } from '../shell/storage.ts'

/** A payment that this browser has not seen finished yet; it survives a reload. */
export type Pending = PurchaseClaim & { sentAt: number }

/** A hash that no node knows after this time was dropped, or replaced in the wallet. */
const forgetAfterMs = 7 * 86_400_000

/** Oldest first, without entries that are invalid or too old. */
export const pendingPurchases = (now = Date.now()): Pending[] =>
  (storage.read(purchasesKey, Array.isArray) ?? []).filter(
    (entry): entry is Pending => isPending(entry) && now - entry.sentAt < forgetAfterMs,
  )

/** Reads before it writes, since another tab may have bought in the meantime. */
export function rememberPurchase(purchase: Pending): void {
  storage.write(purchasesKey, [...others(purchase.transactionHash), purchase])
}

export function forgetPurchase(hash: Hash): void {
  const left = others(hash)
  storage.write(purchasesKey, left.length > 0 ? left : undefined)
}

const others = (hash: Hash) => pendingPurchases().filter(({ transactionHash }) => transactionHash !== hash)

function isPending(value: unknown): value is Pending {
  const entry = value as Partial<Pending> | null
  return (
    typeof entry === 'object' &&
    entry !== null &&
    /^0x[0-9a-f]{64}$/i.test(String(entry.transactionHash)) &&
    /^0x[0-9a-f]{40}$/i.test(String(entry.walletAddress)) &&
    Number.isSafeInteger(entry.quantity) &&
    Number.isSafeInteger(entry.amount) &&
    typeof entry.sentAt === 'number'
  )
}
