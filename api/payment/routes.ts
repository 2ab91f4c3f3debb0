import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { jobId } from '../../core/jobs.ts'
import type { PurchaseReceipt, PurchaseReport, WalletReport } from '../../core/public.ts'
import { claimPayment } from '../../db/payment/claims.ts'
import { listWalletPayments, reportPurchase } from '../../db/payment/payments.ts'
import type { Deps } from '../deps.ts'
import { readObject } from '../http/body.ts'
import { clientAddress } from '../http/client-address.ts'
import { toHash, toInteger, toWallet } from '../http/parse.ts'
import { retryOnConflict } from '../http/retry-on-conflict.ts'

const maxQuantity = 10_000_000
const maxAmount = 1_000_000_000_000

/** Reports of payments. The claim is committed before the bell rings: a bell that cannot ring costs nothing. */
export const ticketRoutes = ({ db, bell, addresses }: Deps) => {
  const addressOf = clientAddress(addresses)
  return new Elysia({ prefix: '/api/tickets' })
    .post(
      '/purchase',
      async ({ request, server, status }) => {
        const hint = readHint(await readObject(request))
        const address = addressOf(request, server?.requestIP(request)?.address)
        const { claim, isNew } = await retryOnConflict(() =>
          claimPayment(db, { ...hint, clientAddress: address }),
        )
        const hash = claim.transactionHash
        if (claim.nextAttemptAt)
          void bell.ring('verify-payment', { hashes: [hash] }, { jobId: jobId.verifyPayment(hash) })
        const receipt: PurchaseReceipt = { transactionHash: hash, status: claim.status }
        return status(isNew ? 202 : 200, receipt)
      },
      { parse: 'none' },
    )
    .get('/purchase/:hash', async ({ params }): Promise<PurchaseReport> => {
      const hash = toHash(params.hash)
      const report = await retryOnConflict(() => reportPurchase(db, hash))
      if (!report) throw new RaffleError('NOT_FOUND', 'This transaction has not been reported yet.')
      return report
    })
    .get('/wallet/:address', ({ params }): Promise<WalletReport> => {
      const wallet = toWallet(params.address)
      return retryOnConflict(() => listWalletPayments(db, wallet))
    })
}

/** Trimmed and lower-cased first; only the hash matters, the other fields are hints that may be missing. */
function readHint(body: Record<string, unknown>) {
  const { transactionHash, walletAddress, quantity, amount } = body
  return {
    transactionHash: toHash(transactionHash),
    walletAddress: walletAddress === undefined ? null : toWallet(walletAddress),
    quantity:
      quantity === undefined ? null : toInteger(quantity, 'INVALID_QUANTITY', 'quantity', 1, maxQuantity),
    amount: amount === undefined ? null : toInteger(amount, 'INVALID_AMOUNT', 'amount', 1, maxAmount),
  }
}
