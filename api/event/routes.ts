import { Elysia } from 'elysia'
import { type Address, getAddress, isAddress, recoverMessageAddress, zeroAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { parseDate } from '../../core/event.ts'
import { jobId, usuallyFinalMs } from '../../core/jobs.ts'
import { type Event, getOpenEvent } from '../../db/event/events.ts'
import { type EventPatch, isOver, resumeSales, updateEvent } from '../../db/event/update.ts'
import { proveWallet } from '../../db/event/wallet-proof.ts'
import type { Db } from '../../db/index.ts'
import { firstPaymentTime } from '../../db/payment/list.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { type Fields, onlyFields, toText } from '../http/fields.ts'
import { toInteger } from '../http/parse.ts'
import { toHttpsUrl } from '../http/url.ts'

type Patch = EventPatch & { revision: number | undefined }

const fieldNames = ['drawDate', 'saleEndDate', 'googleFormUrl', 'operatorWallet', 'minTicketsForDraw']

/** The running event: its dates, minimum, wallet and form. */
export const eventRoutes = ({ admin, bell }: Pick<Deps, 'admin' | 'bell'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/raffle' })
    .get(
      '/config',
      guard.read(
        async ({ db }) => {
          const event = await mustHaveEvent(db)
          const walletPinned = admin.pinnedWallet !== undefined
          const firstPaymentAt = await firstPaymentTime(db, event.number)
          return {
            ...describe(event),
            walletLocked: walletPinned || firstPaymentAt !== null,
            walletPinned,
            firstPaymentAt: firstPaymentAt?.toISOString() ?? null,
            // While a winner is being announced the next event cannot be opened either.
            isOver: await isOver(db, event).catch(() => false),
          }
        },
        { background: true },
      ),
    )
    .patch(
      '/config',
      guard.action(
        'raffle.config',
        { body: configBody, fresh: ({ db, body }) => changesMoney(db, body) },
        async ({ db, body: { revision, ...patch }, record }) => {
          const before = await mustHaveEvent(db)
          const { terms, pinnedWallet } = admin
          const { event, archived } = await updateEvent(db, patch, { terms, pinnedWallet, revision })
          record({ before: describe(before), after: describe(event) })
          if (event.drawDate && event.drawDate.getTime() !== before.drawDate?.getTime())
            void scheduleDraw(bell, event.number, event.drawDate)
          const archiveMessage =
            archived === undefined
              ? undefined
              : `이벤트 #${archived}의 기록이 보관되고 이벤트 #${event.number}의 판매가 시작되었습니다.`
          return { ...describe(event), ...(archiveMessage && { archiveMessage }) }
        },
      ),
      { parse: 'none' },
    )
    .post(
      '/prove-wallet',
      guard.action('raffle.prove-wallet', { body: proofBody }, async ({ db, body, record }) => {
        const event = await mustHaveEvent(db)
        const signer = await recoverMessageAddress({
          message: proofMessage(event),
          signature: body.signature,
        }).catch(() => undefined)
        if (!signer || signer.toLowerCase() !== event.operatorWallet)
          throw new RaffleError('INVALID_VALUE', 'signature: 운영자 지갑의 서명이 아닙니다.')
        await proveWallet(db, event.number)
        record({ after: { operatorWallet: signer } })
        return { walletProven: true }
      }),
      { parse: 'none' },
    )
    .post(
      '/resume',
      guard.action('raffle.resume', { fresh: true }, async ({ db, record }) => {
        const resumed = await resumeSales(db)
        record({ after: { resumed } })
        return { resumed }
      }),
      { parse: 'none' },
    )

/** For the moment of the date; the job of a date that was changed since finds nothing to do. */
function scheduleDraw(bell: Deps['bell'], eventNumber: number, date: Date): Promise<boolean> {
  const delay = Math.max(0, date.getTime() - Date.now()) + usuallyFinalMs
  return bell.ring('draw', { eventNumber }, { jobId: jobId.drawAt(eventNumber, date), delay })
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

/** A mistyped or stolen wallet takes all the money: only another one than now asks for fresh authentication. */
async function changesMoney(db: Db, patch: Patch): Promise<boolean> {
  if (!patch.operatorWallet) return false
  return (await getOpenEvent(db))?.operatorWallet !== patch.operatorWallet.toLowerCase()
}

function configBody(fields: Fields): Patch {
  onlyFields(fields, [...fieldNames, 'version'])
  if (fieldNames.every((name) => fields[name] === undefined))
    throw new RaffleError('NO_CHANGES', '최소 하나의 설정을 변경해주세요')
  const { drawDate, saleEndDate, googleFormUrl, operatorWallet, minTicketsForDraw, version } = fields
  const date = (value: unknown) => (value === undefined || value === null ? value : parseDate(value))
  return {
    drawDate: date(drawDate),
    saleEndDate: date(saleEndDate),
    googleFormUrl:
      googleFormUrl === undefined || googleFormUrl === null ? googleFormUrl : toFormUrl(googleFormUrl),
    operatorWallet: operatorWallet === undefined ? undefined : toOperatorWallet(operatorWallet),
    minTickets:
      minTicketsForDraw === undefined
        ? undefined
        : toInteger(minTicketsForDraw, 'INVALID_VALUE', 'minTicketsForDraw', 1, 10_000_000),
    revision:
      version === undefined ? undefined : toInteger(version, 'INVALID_VALUE', 'version', 1, 2_147_483_647),
  }
}

/** Empty clears it: the button of the Winner section goes away. */
const toFormUrl = (value: unknown): string | null =>
  value === '' ? null : toHttpsUrl(value, 'googleFormUrl')

/** With its checksum or all lower case: a mistyped one is then noticed, or was at least copied. */
function toOperatorWallet(value: unknown): Address {
  const text = typeof value === 'string' ? value.trim() : ''
  if (!isAddress(text, { strict: text !== text.toLowerCase() }) || text === zeroAddress)
    throw new RaffleError('INVALID_WALLET', '지갑 주소가 올바르지 않습니다. 체크섬을 확인해주세요.')
  return text
}

function proofBody(fields: Fields) {
  onlyFields(fields, ['signature'])
  const signature = toText(fields.signature, 'signature', { max: 132 })
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature))
    throw new RaffleError('INVALID_VALUE', 'signature: 65바이트 서명이어야 합니다.')
  return { signature: signature as `0x${string}` }
}
