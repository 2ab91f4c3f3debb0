import { smaller } from './allocate.ts'
import type { RegisterTotal } from './totals.ts'

/**
 * What the register remembers of one wallet, token and debtor by its final logs; the sum of both is its total. Only
 * what went where the debtor wants it is paid: what was paid elsewhere has moved nothing to him and will not be paid
 * again, as if it had been waived.
 */
export type Memory = { paid: bigint; waived: bigint }

/** How the register's memory of one wallet, token and debtor fits what these books say. */
export type Fit = {
  /** What a call has to name so that all that is due is paid. */
  total: bigint
  /** The register has paid more than these books know: nothing may go out before it is known why. */
  isAhead: boolean
  /** How much more. */
  ahead: bigint
  /** All that is due has been waived, so the register will never pay it and another wallet may. */
  isWaived: boolean
  /** What of it has been waived. */
  waived: bigint
  /** A call pays exactly what is due: no more, as the memory is that of these books, and no less. */
  canPay: boolean
}

/**
 * `total` and `due` are those of `registerTotals`; `handedOver` is what the wallet was paid and another one owes now.
 * The contract goes on remembering what this wallet had paid or waived of that, and a call has to name it as well.
 * It counts up to what was handed over, which is a fact of the books: a memory beyond it raises no total.
 */
export function fitOf(
  { total, due }: Pick<RegisterTotal, 'total' | 'due'>,
  { paid, waived }: Memory,
  handedOver: bigint,
): Fit {
  const settled = total - due
  const beyond = paid + waived - settled
  const past = beyond < 0n ? 0n : smaller(beyond, handedOver)
  const ahead = paid - settled - past
  const left = smaller(due, smaller(waived, beyond - past))
  return {
    total: total + past,
    isAhead: ahead > 0n,
    ahead: ahead > 0n ? ahead : 0n,
    isWaived: waived > 0n && due > 0n && beyond - past >= due,
    waived: left > 0n ? left : 0n,
    canPay: beyond === past,
  }
}
