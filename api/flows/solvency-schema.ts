import { Type as t } from '@sinclair/typebox'
import type { Cover, PublicSolvency } from '../../core/live/solvency.ts'
import { address, answer, hash, listed, moment, orNull, units, whole } from '../http/answers.ts'

const signed = t.String({ pattern: '^-?[0-9]+$', description: 'Units of 10^-18 USDT; may be below 0.' })
const state = listed<Cover>(['covered', 'short', 'unknown'])
const equation = listed<PublicSolvency['equation']>(['holds', 'broken', 'unknown'])

/** @see PublicSolvency */
export const publicSolvency = answer(
  {
    eventNumber: whole(),
    state,
    token: address,
    block: orNull(
      t.Object(
        { number: whole(), hash, timestamp: whole() },
        { additionalProperties: false, description: 'The final block that all of it is told for.' },
      ),
    ),
    held: units,
    required: units,
    cover: signed,
    ratioBp: orNull(whole('Held in ten thousandths of what is required.')),
    wallets: t.Array(t.Object({ address, held: units }, { additionalProperties: false })),
    owed: t.Object(
      { leftovers: units, refunds: units, credited: units, prizes: units },
      { additionalProperties: false, description: 'Adds up to `required`.' },
    ),
    lowest: orNull(
      t.Object(
        { cover: signed, at: moment(), block: whole(), transactionHash: hash },
        { additionalProperties: false, description: 'Behind any transaction since the sale start.' },
      ),
    ),
    shortSince: orNull(
      t.Object(
        { at: moment(), block: whole(), transactionHash: hash },
        {
          additionalProperties: false,
          description: 'The transaction since which less is held than is owed.',
        },
      ),
    ),
    dust: t.String({
      pattern: '^[0-9]+$',
      description: 'What one payer is owed without a ticket counts from this sum on.',
    }),
    promised: t.Array(units, { description: 'Token prizes that the event promises, by place; 0 for goods.' }),
    outflow: t.Object(
      { refund: units, prize: units, own: units, other: units },
      { additionalProperties: false },
    ),
    others: t.Array(
      t.Object(
        { transactionHash: hash, from: address, to: address, units, at: moment() },
        { additionalProperties: false },
      ),
      {
        description:
          'The newest ten and the largest ten transfers that were for something else, newest first.',
      },
    ),
    equation,
  },
  { $id: 'Solvency' },
)

/** What it was, behind one transaction after the other: 500 points at most, among them all extremes. */
export const solvencyHistory = answer(
  {
    ...{ eventNumber: whole(), state, equation, reckonedAt: orNull(moment()) },
    points: t.Array(
      t.Object(
        { at: moment(), block: whole(), held: signed, required: units, cover: signed },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'SolvencyHistory' },
)
