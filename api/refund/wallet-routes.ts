import { Elysia } from 'elysia'
import { getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { refundWalletMessage } from '../../core/event/wallet-proof.ts'
import { mustHaveEvent } from '../../db/event/events.ts'
import { expectWalletProof } from '../../db/event/wallet-proofs.ts'
import { findWallet } from '../../db/refund/found-wallet.ts'
import { type RefundWallet, registerRefundWallet, whenRead } from '../../db/refund/refund-wallets.ts'
import { noteHeard } from '../../db/refund/unheard.ts'
import { listWaivable } from '../../db/refund/waivable.ts'
import { loseWallet } from '../../db/refund/wallets.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { askWorkers } from '../http/ask-workers.ts'
import {
  lostWalletBody,
  ownWallet,
  refundWallet,
  refundWalletBody,
  waivable,
  waivableQuery,
} from './wallet-schema.ts'

/** Wallets of ours as payers of refunds: those that only refund, what one can waive, and whose key is lost. */
export const refundWalletRoutes = ({ jobs }: Pick<Deps, 'jobs'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/refunds/waivable',
      ...guard.read(
        {
          about: 'What a wallet waives so that others may pay it',
          query: waivableQuery,
          answer: waivable,
          refusals: ['NOT_FOUND', 'RPC_UNAVAILABLE'],
        },
        ({ db, query }) => listWaivable(db, query.wallet),
      ),
    )
    .post(
      '/refunds/wallets',
      ...guard.action(
        'refund.wallet',
        {
          about: 'Registers a wallet that may pay refunds, by its own signature',
          body: refundWalletBody,
          answer: refundWallet,
          refusals: ['RPC_UNAVAILABLE'],
          fresh: true,
          atomic: false,
        },
        async ({ db, body: { wallet, message, signature }, second, record }) => {
          const event = await mustHaveEvent(db)
          if (message !== refundWalletMessage(event.number, wallet)) throw otherText()
          await expectWalletProof(db, { wallet, message, signature }, askWorkers(jobs))
          await db.transaction(async (tx) => {
            await registerRefundWallet(tx, wallet)
            const after = { wallet: getAddress(wallet) }
            await second.expect(tx, { payload: { ...after, message }, after })
          })
          void jobs.enqueue('watch-refunds', {})
          const known = { wallet: getAddress(wallet), ...((await whenRead(db, wallet)) as RefundWallet) }
          record({ after: known })
          return known
        },
      ),
    )
    .post(
      '/refunds/wallets/lost',
      ...guard.action(
        'refund.wallet-lost',
        {
          about: 'Says that the key of a wallet is lost or stolen: others may pay what it owes',
          body: lostWalletBody,
          answer: ownWallet,
          refusals: ['NOT_FOUND'],
          fresh: true,
        },
        async ({ db, body: { wallet, note }, record }) => {
          const { before, after } = await loseWallet(db, wallet)
          record({ before, after: { ...after, note } })
          return after
        },
      ),
    )
    .post(
      '/refunds/wallets/heard',
      ...guard.action(
        'refund.wallet-heard',
        {
          about: 'Says that a restored database knows every call that a wallet was handed',
          body: lostWalletBody,
          answer: ownWallet,
          refusals: ['NOT_FOUND'],
          fresh: true,
        },
        async ({ db, body: { wallet, note }, record }) => {
          const { before, after } = await noteHeard(db, wallet)
          record({ before, after: { ...after, note } })
          return after
        },
      ),
    )
    .post(
      '/refunds/wallets/found',
      ...guard.action(
        'refund.wallet-found',
        {
          about: 'Takes back the word that a key is lost, while no other wallet has paid on it',
          body: lostWalletBody,
          answer: ownWallet,
          refusals: ['NOT_FOUND', 'ALREADY_PROCESSED', 'TX_PENDING'],
          fresh: true,
        },
        async ({ db, body: { wallet, note }, record }) => {
          const { before, after } = await findWallet(db, wallet)
          record({ before, after: { ...after, note } })
          return after
        },
      ),
    )

const otherText = () =>
  new RaffleError(
    'INVALID_VALUE',
    'message: 지금 이벤트와 이 지갑의 문장이 아닙니다. 페이지를 새로 고치고 다시 서명하세요.',
    {},
    { field: 'message' },
  )
