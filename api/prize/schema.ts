import { Type as t } from '@sinclair/typebox'
import { mostWinners } from '../../core/draw/winners.ts'
import { mostEventNumber, mostLetters } from '../../core/event/ranges.ts'
import { mostPrizeCents, type PrizeAct } from '../../core/prize/promise.ts'
import { exact, nullable, read, refusal } from '../http/schema.ts'
import { anySignature, choice, text, wallet, whole, words } from '../http/values.ts'

const event = whole(1, mostEventNumber)

/** What each winner is promised, in a form: one of each place. */
export const promisesIn = t.Array(
  exact({
    kind: choice(['goods', 'token']),
    /** Hundredths of a USDT; of a token prize alone. */
    amount: t.Optional(nullable(whole(1, mostPrizeCents))),
  }),
  {
    minItems: 1,
    maxItems: mostWinners,
    ...refusal('INVALID_VALUE', { reason: 'prizes' }),
  },
)

/** Of the winners, or the wallet whose turn it is; the first winner without either. */
export const claimQuery = t.Object({
  place: t.Optional(
    read(
      t.String({
        pattern: '^([1-9]|1[0-9]|20)$',
        ...refusal('INVALID_VALUE', { reason: 'whole', values: { least: 1, most: mostWinners } }),
      }),
      Number,
    ),
  ),
  wallet: t.Optional(wallet),
})
/** Anybody may post one: fifteen owners of a Safe fit in. */
const mostSignatureBytes = 1_024
export const claimBody = t.Object({
  eventNumber: event,
  place: t.Optional(whole(1, mostWinners)),
  message: text({ max: 2_000, lines: true }),
  signature: anySignature(mostSignatureBytes),
})
export const claimCheckBody = exact({ eventNumber: whole(1, mostEventNumber), code: text({ max: 64 }) })

const acts: readonly PrizeAct[] = ['sent', 'corrected', 'delivered']
export const prizeBody = exact({
  eventNumber: whole(1, mostEventNumber),
  place: whole(1, mostWinners),
  act: choice(acts),
  /** Of `sent`: carrier and number of the parcel. */
  tracking: t.Optional(nullable(text({ max: mostLetters.tracking }))),
  /** Of `corrected`. */
  reason: t.Optional(words(mostLetters.correction)),
})
