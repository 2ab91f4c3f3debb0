import { Type as t } from '@sinclair/typebox'
import { type DetailsOf, RaffleError } from '../../core/errors.ts'
import { refundStates, transferMarks } from '../../core/refund/rules.ts'
import { exact, invalid, nullable, optional, read, refuse } from '../http/schema.ts'
import { choice, date, digits, flag, hash as hashIn, oneOf, text, wallet, whole } from '../http/values.ts'

/** Requests of the refund desk. None sets an amount or says where money goes. */
const maxInt = 2 ** 31 - 1
const mostPayers = 180
const sum = whole(0, Number.MAX_SAFE_INTEGER)

/** The start of an address, as far as it was typed. */
const addressStart = optional(
  read(t.String({ maxLength: 42, ...invalid }), (value) => {
    const start = value.trim().toLowerCase()
    return /^0x[0-9a-f]*$/.test(start) ? start : refuse()
  }),
)
export const pageQuery = t.Object({
  cursor: optional(wallet),
  event: digits(9),
  state: oneOf([...refundStates, 'dust']),
  search: addressStart,
})
export const payerInPath = t.Object({ payer: wallet })
export const executeBody = exact({
  refundInfo: exact({ totalTickets: sum, totalAmount: sum }),
  eventNumber: t.Optional(whole(1, maxInt)),
})
export const noteBody = exact({ note: t.Optional(text({ max: 500, lines: true })) })
export const sentBody = exact({
  transactionHash: hashIn,
  payers: t.Optional(t.Array(wallet, { maxItems: mostPayers, ...invalid })),
})
export const markBody = read(
  exact({
    ...{ transactionHash: hashIn, payer: t.Optional(wallet), wallet: t.Optional(wallet) },
    markedAs: nullable(choice([...transferMarks, 'own'])),
    ...{ eventNumber: t.Optional(whole(1, maxInt)), place: t.Optional(whole(1, 20)) },
  }),
  (body) => {
    const isNamed = body.eventNumber !== undefined && body.place !== undefined
    if (body.markedAs === 'prize' && !isNamed) throw refused({ reason: 'place', field: 'place' })
    return body
  },
)
/** `from` by block time: who names the present says that nothing was paid to the thief yet. */
export const stolenBody = exact({ wallet, from: date })
export const refused = (why: DetailsOf<'INVALID_VALUE'>) => new RaffleError('INVALID_VALUE', why)
/** On by default. */
export const noticeBody = exact({ active: t.Optional(flag()) })
