import { treaty } from '@elysiajs/eden'
import { expectTypeOf } from 'vitest'
import type { ErrorCode } from '../core/errors.ts'
import type * as core from '../core/live/public.ts'
import type { RefundHold } from '../core/refund/rules.ts'
import type { App } from './app.ts'

/** The types that the site's client derives from the routes. */
const { api } = treaty<App['routes']>('http://localhost')

export async function anybody() {
  const config = await api.raffle.config.get()
  expectTypeOf(config.data).toEqualTypeOf<core.PublicConfig | null>()
  const winner = await api.raffle.winner.get()
  expectTypeOf(winner.data).toEqualTypeOf<core.PublicWinner | null>()
  const reported = await api.tickets.purchase.post({ transactionHash: '0x', quantity: 1 })
  expectTypeOf(reported.data).toEqualTypeOf<core.PurchaseReceipt | null>()
  const report = await api.tickets.purchase({ hash: '0x' }).get()
  expectTypeOf(report.data).toEqualTypeOf<core.PurchaseReport | null>()
  // @ts-expect-error a hash is a text
  await api.tickets.purchase.post({ transactionHash: 1 })
  // @ts-expect-error and has to be there
  await api.tickets.purchase.post({ quantity: 1 })
}

export async function administrator() {
  const login = await api.admin.login.post({ username: 'owner', password: 'secret' })
  expectTypeOf(login.data).toEqualTypeOf<{ token: string } | null>()
  if (login.error) {
    expectTypeOf(login.error.value.code).toEqualTypeOf<ErrorCode | 'INTERNAL'>()
    expectTypeOf(login.error.value.field).toEqualTypeOf<string | undefined>()
  }
  const saved = await api.admin.raffle.config.patch({ drawDate: '2030-01-01T00:00', googleFormUrl: null })
  expectTypeOf(saved.data?.archiveMessage).toEqualTypeOf<string | undefined>()
  // @ts-expect-error no such field
  await api.admin.raffle.config.patch({ ticketPrice: 1 })
  // @ts-expect-error a date is a text on its way
  await api.admin.raffle.config.patch({ drawDate: new Date() })

  const payments = await api.admin.payments.get({ query: { cursor: '7', status: 'credited' } })
  expectTypeOf(payments.data?.[0]?.status).toEqualTypeOf<'credited' | 'rejected' | undefined>()
  // @ts-expect-error no such status
  await api.admin.payments.get({ query: { status: 'lost' } })

  const listed = await api.admin.refunds.get({ query: { state: 'held', cursor: '0x' } })
  expectTypeOf(listed.data?.[0]?.holds).toEqualTypeOf<RefundHold[] | undefined>()
  // @ts-expect-error no such state
  await api.admin.refunds.get({ query: { state: 'planned' } })
  const refundInfo = { totalTickets: 1, totalAmount: 300 }
  const asked = await api.admin.raffle['execute-refund'].post({ refundInfo })
  expectTypeOf(asked.data?.refundTransactions[0]?.total).toEqualTypeOf<string | undefined>()
  expectTypeOf(asked.error?.value.values).toEqualTypeOf<Record<string, string | number> | undefined>()
  const marked = await api.admin.refunds.mark.post({ transactionHash: '0x', markedAs: null })
  expectTypeOf(marked.data?.row.due).toEqualTypeOf<string | undefined>()
  // A body is optional if it has a default or no fields.
  expectTypeOf((await api.admin.raffle['refund-notification'].post()).data?.active).toEqualTypeOf<
    boolean | undefined
  >()
  expectTypeOf((await api.admin['setup-otp'].post()).data?.secret).toEqualTypeOf<string | undefined>()
}
