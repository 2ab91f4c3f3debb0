import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { getAddress, isAddress, zeroAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { entropies } from '../../core/event/event.ts'
import { minTicketsRange } from '../../core/event/ranges.ts'
import { eventWalletMessage } from '../../core/event/wallet-proof.ts'
import { jobId, usuallyFinalMs } from '../../core/jobs.ts'
import { isFormUrl } from '../../core/prize/claim.ts'
import { type Event, getOpenEvent, mustHaveEvent, mustLockEvent } from '../../db/event/events.ts'
import { isOver } from '../../db/event/next.ts'
import { resumeSales, stopSale } from '../../db/event/sale.ts'
import { firstTicketTime } from '../../db/event/terms.ts'
import { eventLocks, openNextEvent, type Updated, updateEvent } from '../../db/event/update.ts'
import { expectWalletProof, proveWallet } from '../../db/event/wallet-proofs.ts'
import { salesFigures } from '../../db/report/sales.ts'
import type { AdminCall, AdminGuard } from '../auth/guard.ts'
import { type Deps, isLocalMode } from '../deps.ts'
import { exact, nullable, orEmpty, read, refusal, refuse } from '../http/schema.ts'
import { anySignature, choice, date, httpsUrl, version, whole } from '../http/values.ts'
import { askWorkers } from '../prize/claim-messages.ts'
import { termsInForm } from './next-routes.ts'

const openBody = exact({
  /** Revision of the draft that the form was filled with. */
  version,
  /** `version` of `next-content` that was seen; left out: any. */
  contentVersion: t.Optional(version),
})

/** With its checksum, which reveals typing errors, or all lower case, which is usually a copy. */
const operatorWallet = read(t.String(refusal('INVALID_WALLET', { reason: 'form' })), (value) => {
  const trimmed = value.trim()
  const isOne = isAddress(trimmed, { strict: trimmed !== trimmed.toLowerCase() })
  return isOne && trimmed !== zeroAddress ? trimmed : refuse()
})
const configBody = exact(
  {
    drawDate: t.Optional(nullable(date)),
    saleEndDate: t.Optional(nullable(date)),
    /** Empty clears it and hides the button of the Winner section. */
    googleFormUrl: t.Optional(nullable(read(orEmpty(httpsUrl()), (url) => url ?? null))),
    operatorWallet: t.Optional(operatorWallet),
    minTicketsForDraw: t.Optional(whole(minTicketsRange.min, minTicketsRange.max)),
    entropy: t.Optional(choice(entropies)),
    /** Version of the config that the form was filled with. */
    version: t.Optional(version),
    /** `version` of `next-content` that was seen, where the date opens the next event; left out: any. */
    contentVersion: t.Optional(version),
  },
  {
    someOf: [
      ...['drawDate', 'saleEndDate', 'googleFormUrl', 'operatorWallet', 'minTicketsForDraw'],
      'entropy',
    ],
  },
)

export const eventRoutes = (deps: Deps, guard: AdminGuard) => {
  const { admin, jobs } = deps
  const { formHosts } = admin
  const isLocal = isLocalMode(deps)
  const rules = {
    terms: admin.terms,
    pinnedWallet: admin.pinnedWallet,
    leastNoticeMs: isLocal ? 5_000 : undefined,
  }

  /** Who moves the money or the draw has more than a password. Throws OTP_NOT_SET_UP. */
  function expectSecondFactor({ hasSecondFactor }: AdminCall['session']): void {
    if (!isLocal && !hasSecondFactor) throw new RaffleError('OTP_NOT_SET_UP', { reason: 'secondFactor' })
  }

  function saved(before: Event, { event, archived }: Updated, record: AdminCall['record']) {
    record({ before: describe(before), after: describe(event) })
    if (event.drawDate && event.drawDate.getTime() !== before.drawDate?.getTime())
      void scheduleDraw(jobs, event.number, event.drawDate)
    const archiveMessage = `이벤트 #${archived}의 기록이 보관되고 이벤트 #${event.number}의 판매가 시작되었습니다.`
    return { ...describe(event), ...(archived !== undefined && { archived, archiveMessage }) }
  }

  return new Elysia({ prefix: '/api/admin/raffle' })
    .get(
      ...guard.read('/config', {
        about: 'The running event as its form has it',
        background: true,
        run: async ({ db }) => {
          const event = await mustHaveEvent(db)
          const walletPinned = admin.pinnedWallet !== undefined
          const firstPaymentAt = await firstTicketTime(db, event)
          return {
            ...describe(event),
            walletPinned,
            lockedAt: event.lockedAt?.toISOString() ?? null,
            locks: eventLocks(event, admin.pinnedWallet),
            formHosts: [...formHosts],
            firstPaymentAt: firstPaymentAt?.toISOString() ?? null,
            // The next event cannot be opened while a winner is being announced either.
            isOver: await isOver(db, event).catch(() => false),
          }
        },
      }),
    )
    .patch(
      ...guard.action('/config', {
        action: 'raffle.config',
        about: 'Changes the running event; a draw date after its end opens the next one',
        body: configBody,
        more: 'Outside local mode a wallet or a draw date needs a second factor.',
        refusals: ['EVENT_LOCKED', 'WALLET_PINNED', 'DATE_IN_PAST', 'DATE_TOO_FAR', 'OTP_NOT_SET_UP'],
        values: ({ body }) => expectFormHost(body, formHosts),
        check: async ({ db, body: { operatorWallet, drawDate }, session }) => {
          const event = await getOpenEvent(db)
          const isOther =
            (operatorWallet !== undefined && operatorWallet.toLowerCase() !== event?.operatorWallet) ||
            (drawDate !== undefined && drawDate?.getTime() !== event?.drawDate?.getTime())
          if (isOther) expectSecondFactor(session)
        },
        run: async ({ db, body, record }) => {
          const { version: revision, contentVersion: contentRevision, minTicketsForDraw, ...rest } = body
          const before = await mustLockEvent(db)
          const patch = { ...rest, minTickets: minTicketsForDraw }
          const updated = await updateEvent(db, patch, { ...rules, revision, contentRevision })
          return saved(before, updated, record)
        },
      }),
    )
    .post(
      ...guard.action('/open-next', {
        action: 'raffle.open-next',
        about: 'Archives the event that is over and opens the next one as its draft says',
        body: openBody,
        refusals: ['EVENT_LOCKED', 'DATE_IN_PAST', 'DATE_TOO_FAR', 'OTP_NOT_SET_UP'],
        check: async ({ session }) => expectSecondFactor(session),
        run: async ({ db, body: { version: draftRevision, contentVersion }, record }) => {
          const before = await mustHaveEvent(db)
          const seen = { draftRevision, contentRevision: contentVersion }
          return saved(before, await openNextEvent(db, { ...rules, ...seen }), record)
        },
      }),
    )
    .post(
      ...guard.action('/prove-wallet', {
        action: 'raffle.prove-wallet',
        about: 'Proves by a signature that somebody holds the key of the operator wallet',
        body: exact({ signature: anySignature() }),
        refusals: ['NOT_FOUND', 'RPC_UNAVAILABLE'],
        fresh: false, // The signature says more than a password.
        atomic: false,
        run: async ({ db, body: { signature }, record }) => {
          const { number, operatorWallet: wallet } = await mustHaveEvent(db)
          if (!wallet) throw new RaffleError('NOT_FOUND', { reason: 'operatorWallet' })
          const message = eventWalletMessage(number, wallet)
          await expectWalletProof(db, { wallet, message, signature }, askWorkers(jobs))
          await proveWallet(db, number, wallet)
          record({ after: { operatorWallet: getAddress(wallet) } })
          return { walletProven: true }
        },
      }),
    )
    .post(
      ...guard.action('/stop-sale', {
        action: 'raffle.stop-sale',
        about: 'Ends the sale into refunds: everybody is paid back, and nothing is drawn',
        refusals: ['EVENT_LOCKED'],
        run: async ({ db, record }) => {
          const event = await stopSale(db)
          const stopped = { eventNumber: event.number, saleEndDate: event.saleEnd?.toISOString() ?? null }
          record({ after: stopped })
          return stopped
        },
      }),
    )
    .post(
      ...guard.action('/resume', {
        action: 'raffle.resume',
        about: 'Resumes a sale that was halted',
        run: async ({ db, record }) => {
          const resumed = await resumeSales(db)
          record({ after: { resumed } })
          return { resumed }
        },
      }),
    )
}

export const salesFiguresRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/raffle' }).get(
    ...guard.read('/sales', {
      about: 'The sale of the open event in figures',
      more: 'The last 72 hours and 120 days (UTC), wallets by the number of their tickets, money by what became of it.',
      background: true,
      run: ({ db }) => salesFigures(db),
    }),
  )

/** Schedules the draw for its date; a job whose date has changed since finds nothing to do. */
function scheduleDraw(jobs: Deps['jobs'], eventNumber: number, date: Date): Promise<boolean> {
  const delay = Math.max(0, date.getTime() - Date.now()) + usuallyFinalMs
  return jobs.enqueue('draw', { eventNumber }, { jobId: jobId.drawAt(eventNumber, date), delay })
}

const describe = (event: Event) => ({
  ...termsInForm(event),
  eventNumber: event.number,
  googleFormUrl: event.googleFormUrl,
  isRefundMode: event.refundModeAt !== null,
  isHalted: event.haltedAt !== null,
  refundNotice: event.refundNotice,
  ticketsSold: event.ticketsSold,
  frozenAt: event.frozenAt?.toISOString() ?? null,
  ledgerSha256: event.ledgerSha256,
  walletProven: event.walletProvenAt !== null,
  walletProvenAt: event.walletProvenAt?.toISOString() ?? null,
  /** What the operator wallet signs to prove that somebody holds its key. */
  walletProofMessage: eventWalletMessage(event.number, event.operatorWallet),
  version: event.revision,
})

type Changed = AdminCall<typeof configBody>['body']

/** Throws INVALID_URL. */
function expectFormHost({ googleFormUrl: url }: Changed, hosts: readonly string[]): void {
  if (!url || isFormUrl(url, hosts)) return
  throw new RaffleError('INVALID_URL', {
    reason: 'form',
    values: { hosts: hosts.join(', ') },
    field: 'googleFormUrl',
  })
}
