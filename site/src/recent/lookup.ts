import { atom } from 'nanostores'
import type { Hash } from 'viem'
import type { PurchaseReport } from '../../../core/live/public.ts'
import { claim, follow } from '../buy/follow.ts'
import { ApiError } from '../shell/api.ts'
import { t } from '../texts/index.ts'

/** Status of a transaction that a visitor looked up. */
export type Lookup =
  | { state: 'invalid' }
  | { state: 'asking'; hash: Hash; report: PurchaseReport | undefined; isTroubled: boolean }
  | { state: 'found'; hash: Hash; report: PurchaseReport }
  | { state: 'refused'; hash: Hash; text: string }

export const $lookup = atom<Lookup | undefined>()

let asked = 0

/** Posts any transaction as a claim and follows it: so the server learns of a payment sent by hand. */
export async function lookUp(text: string): Promise<void> {
  const turn = ++asked
  const isMine = () => turn === asked
  const hash = text.trim().toLowerCase() as Hash
  if (!/^0x[0-9a-f]{64}$/.test(hash)) return $lookup.set({ state: 'invalid' })
  const show = (next: Lookup) => isMine() && $lookup.set(next)
  let report: PurchaseReport | undefined
  const trouble = (isTroubled: boolean) => show({ state: 'asking', hash, report, isTroubled })
  trouble(false)
  try {
    await claim({ transactionHash: hash }, trouble)
    const end = await follow(hash, {
      onReport: (next) => {
        report = next
        trouble(false)
      },
      onTrouble: trouble,
      isOff: () => !isMine(),
    })
    if (end) show({ state: 'found', hash, report: end })
  } catch (error) {
    const detail = error instanceof ApiError ? error.detail : undefined
    show({ state: 'refused', hash, text: detail ?? t.find.refused })
  }
}
