import { Type as t } from '@sinclair/typebox'
import { refundGroups } from '../../core/refund/progress.ts'
import {
  address,
  answer,
  cents,
  hash,
  listed,
  moment,
  whole as number,
  orNull,
  reason,
  units,
} from '../http/answers.ts'
import { digits, oneOf, search, wallet } from '../http/values.ts'
import { deskRow, deskRowFields } from './schema.ts'

/** Calls that show the books by payer. */
export const payersQuery = t.Object({
  event: digits(9),
  group: oneOf(refundGroups),
  find: search,
  page: digits(6),
})
export const payerInPath = t.Object({ address: wallet })
export const payerQuery = t.Object({ event: digits(9) })

const unitsThat = (description: string) => t.Unsafe<string>({ ...units, description })

const progressFields = {
  owed: units,
  paid: unitsThat('Settled by final transfers, in units of 10^-18 USDT.'),
  inFlight: unitsThat('Handed to a wallet, and not final.'),
  held: unitsThat('Waits for a decision of an administrator.'),
  left: unitsThat('Still to be sent. The last four add up to `owed`.'),
}

export const payers = answer({
  page: number(),
  pages: number(),
  groups: answer({ left: number(), underWay: number(), held: number(), done: number() }),
  found: answer({ payers: number(), amount: cents }),
  payers: t.Array(answer({ payer: address, ...progressFields, rows: t.Array(deskRow) }), {
    description: 'At most 25, in the order of the ledger, each over all batches of the event.',
  }),
})

const entry = { transactionHash: hash, blockNumber: number(), at: moment() }

export const payer = answer({
  payer: address,
  token: address,
  ...progressFields,
  rows: t.Array(
    answer({
      ...deskRowFields,
      releasedAt: orNull(moment()),
      settledAt: orNull(moment()),
    }),
  ),
  payments: t.Array(
    answer({
      ...entry,
      rowId: number(),
      wallet: address,
      paidBy: orNull(address),
      units,
      amount: cents,
      ticketCount: number(),
      reason,
    }),
  ),
  transfers: t.Array(
    answer({
      ...entry,
      position: number(),
      rowId: orNull(number('The row that it has been allocated to.')),
      wallet: address,
      to: address,
      token: address,
      units,
      amount: cents,
      viaRegister: t.Boolean(),
      notRefund: t.Boolean({ description: 'An administrator has said that it was no refund.' }),
    }),
    { description: 'Final transfers out to the payer.' },
  ),
  register: t.Array(
    answer({
      ...entry,
      position: number(),
      kind: listed(['paid', 'waived']),
      wallet: address,
      to: orNull(address),
      units,
      total: unitsThat('What the register remembers from then on.'),
    }),
    { description: 'Final logs of the register about the payer.' },
  ),
})
