import { Elysia } from 'elysia'
import { type Address, getAddress, recoverMessageAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { latestDrawDate } from '../../core/event-locks.ts'
import { jobId, usuallyFinalMs } from '../../core/jobs.ts'
import { type Event, getOpenEvent, hasTickets } from '../../db/event/events.ts'
import { isOver } from '../../db/event/next.ts'
import { proveWallet } from '../../db/event/own-wallets.ts'
import { resumeSales } from '../../db/event/sale.ts'
import { firstTicketTime } from '../../db/event/terms.ts'
import { updateEvent } from '../../db/event/update.ts'
import type { Db } from '../../db/index.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { adminConfig, configBody, proofBody, provenAnswer, resumedAnswer, savedConfig } from './schema.ts'

/** The running event: its dates, minimum, wallet and form. */
export const eventRoutes = ({ admin, jobs }: Pick<Deps, 'admin' | 'jobs'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/raffle' })
    .get(
      '/config',
      ...guard.read(
        { about: 'The running event as its form has it', answer: adminConfig, background: true },
        async ({ db }) => {
          const event = await mustHaveEvent(db)
          const walletPinned = admin.pinnedWallet !== undefined
          const firstPaymentAt = await firstTicketTime(db, event)
          const termsLocked = await hasTickets(db, event.number)
          return {
            ...describe(event),
            walletLocked: walletPinned || termsLocked,
            termsLocked,
            latestDrawDate:
              (termsLocked && latestDrawDate({ ...event, firstTicketAt: firstPaymentAt })?.toISOString()) ||
              null,
            walletPinned,
            firstPaymentAt: firstPaymentAt?.toISOString() ?? null,
            // The next event cannot be opened while a winner is being announced either.
            isOver: await isOver(db, event).catch(() => false),
          }
        },
      ),
    )
    .patch(
      '/config',
      ...guard.action(
        'raffle.config',
        {
          about: 'Changes the running event; a draw date after its end opens the next one',
          body: configBody,
          answer: savedConfig,
          refusals: ['VERSION_CONFLICT', 'EVENT_LOCKED', 'WALLET_PINNED', 'DATE_IN_PAST'],
          fresh: ({ db, body }) => changesMoney(db, body.operatorWallet),
        },
        async ({ db, body: { version: revision, minTicketsForDraw: minTickets, ...rest }, record }) => {
          const before = await mustHaveEvent(db)
          const patch = { ...rest, minTickets }
          const { terms, pinnedWallet } = admin
          const { event, archived } = await updateEvent(db, patch, { terms, pinnedWallet, revision })
          record({ before: describe(before), after: describe(event) })
          if (event.drawDate && event.drawDate.getTime() !== before.drawDate?.getTime())
            void scheduleDraw(jobs, event.number, event.drawDate)
          const archiveMessage =
            archived === undefined
              ? undefined
              : `이벤트 #${archived}의 기록이 보관되고 이벤트 #${event.number}의 판매가 시작되었습니다.`
          return { ...describe(event), ...(archiveMessage && { archiveMessage }) }
        },
      ),
    )
    .post(
      '/prove-wallet',
      ...guard.action(
        'raffle.prove-wallet',
        {
          about: 'Proves by a signature that somebody holds the key of the operator wallet',
          body: proofBody,
          answer: provenAnswer,
        },
        async ({ db, body, record }) => {
          const event = await mustHaveEvent(db)
          const signer = await recoverMessageAddress({
            message: proofMessage(event),
            signature: body.signature,
          }).catch(() => undefined)
          if (!signer || signer.toLowerCase() !== event.operatorWallet)
            throw new RaffleError(
              'INVALID_VALUE',
              'signature: 운영자 지갑의 서명이 아닙니다.',
              {},
              { field: 'signature' },
            )
          await proveWallet(db, event.number, event.operatorWallet)
          record({ after: { operatorWallet: signer } })
          return { walletProven: true }
        },
      ),
    )
    .post(
      '/resume',
      ...guard.action(
        'raffle.resume',
        { about: 'Resumes a sale that was halted', answer: resumedAnswer, fresh: true },
        async ({ db, record }) => {
          const resumed = await resumeSales(db)
          record({ after: { resumed } })
          return { resumed }
        },
      ),
    )

/** Schedules the draw for its date; a job whose date has changed since finds nothing to do. */
function scheduleDraw(jobs: Deps['jobs'], eventNumber: number, date: Date): Promise<boolean> {
  const delay = Math.max(0, date.getTime() - Date.now()) + usuallyFinalMs
  return jobs.enqueue('draw', { eventNumber }, { jobId: jobId.drawAt(eventNumber, date), delay })
}

async function mustHaveEvent(db: Db): Promise<Event> {
  const event = await getOpenEvent(db)
  if (!event) throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
  return event
}

const describe = (event: Event) => ({
  eventNumber: event.number,
  drawDate: event.drawDate?.toISOString() ?? null,
  saleEndDate: event.saleEnd?.toISOString() ?? null,
  googleFormUrl: event.googleFormUrl,
  operatorWallet: event.operatorWallet && getAddress(event.operatorWallet),
  minTicketsForDraw: event.minTickets,
  isRefundMode: event.refundModeAt !== null,
  isHalted: event.haltedAt !== null,
  refundNotice: event.refundNotice,
  ticketsSold: event.ticketsSold,
  saleLeadSeconds: event.saleLeadSeconds,
  frozenAt: event.frozenAt?.toISOString() ?? null,
  ledgerSha256: event.ledgerSha256,
  walletProven: event.walletProvenAt !== null,
  walletProvenAt: event.walletProvenAt?.toISOString() ?? null,
  /** What the operator wallet signs to prove that somebody holds its key. */
  walletProofMessage: proofMessage(event),
  version: event.revision,
})

const proofMessage = (event: Event): string =>
  `Blockdraw event ${event.number}: I hold the key of ${event.operatorWallet && getAddress(event.operatorWallet)}, to which tickets are paid.`

/** A mistyped or stolen wallet takes all the money: changing it requires fresh authentication. */
async function changesMoney(db: Db, wallet: Address | undefined): Promise<boolean> {
  if (!wallet) return false
  return (await getOpenEvent(db))?.operatorWallet !== wallet.toLowerCase()
}
