import type { Hash } from 'viem'
import type { PurchaseClaim } from '../shell/api.ts'
import { purchasesKey, storage } from '../shell/storage.ts'

/** Unfinished, kept over reloads, named by `sentAt`: its hash is null if none was told, another if replaced. */
export type Pending = Omit<PurchaseClaim, 'transactionHash'> & {
  transactionHash: Hash | null
  sentAt: number
}

/** A hash that no node knows after this time was dropped, or replaced in the wallet. */
const forgetAfterMs = 7 * 86_400_000

/** Oldest first, without entries that are invalid or too old. */
export const pendingPurchases = (now = Date.now()): Pending[] =>
  (storage.read(purchasesKey, Array.isArray) ?? []).filter(
    (entry): entry is Pending => isPending(entry) && now - entry.sentAt < forgetAfterMs,
  )

/** In place of what was kept of it. Reads before it writes, since another tab may have bought in the meantime. */
export function rememberPurchase(purchase: Pending): void {
  storage.write(purchasesKey, [...others(purchase), purchase])
}

export function forgetPurchase(purchase: Pick<Pending, 'sentAt'>): void {
  const left = others(purchase)
  storage.write(purchasesKey, left.length > 0 ? left : undefined)
}

const others = ({ sentAt }: Pick<Pending, 'sentAt'>) =>
  pendingPurchases().filter((entry) => entry.sentAt !== sentAt)

function isPending(value: unknown): value is Pending {
  const entry = value as Partial<Pending> | null
  return (
    typeof entry === 'object' &&
    entry !== null &&
    (entry.transactionHash === null || /^0x[0-9a-f]{64}$/i.test(String(entry.transactionHash))) &&
    /^0x[0-9a-f]{40}$/i.test(String(entry.walletAddress)) &&
    Number.isSafeInteger(entry.quantity) &&
    Number.isSafeInteger(entry.amount) &&
    typeof entry.sentAt === 'number'
  )
}
