import { Type as t } from '@sinclair/typebox'
import { moneyStates, mostBuckets } from '../../core/sales/sales.ts'
import { answer, listed, moment, orNull, units, whole } from '../http/answers.ts'

/** @see PublicSales */
export const publicSales = answer({
  eventNumber: whole(),
  from: moment('When the sale began.'),
  to: moment('Up to when the last count was taken.'),
  bucketSeconds: whole('Of each count but the last one, which ends at `to`.'),
  tickets: t.Array(whole(), { maxItems: mostBuckets, description: 'Sold by the end of each span.' }),
  minTickets: whole(),
})

const sold = answer(
  { from: moment(), seconds: whole('Of a span.'), tickets: t.Array(whole()) },
  { description: 'Tickets sold in each span; the last one may not be over.' },
)

/** @see SalesFigures */
export const salesFigures = answer({
  ...{ eventNumber: whole(), ticketsSold: whole(), minTickets: whole() },
  hours: sold,
  days: sold,
  sizes: t.Array(answer({ least: whole(), most: orNull(whole()), wallets: whole(), tickets: whole() }), {
    description: 'Wallets by the number of their tickets, and the tickets of each class.',
  }),
  money: t.Array(answer({ state: listed(moneyStates), units }), {
    description: 'But for `confirming` it adds up to what came in for the event.',
  }),
})
