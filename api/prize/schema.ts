import { Type as t } from '@sinclair/typebox'
import { mostWinners } from '../../core/draw/winners.ts'
import { mostEventNumber, mostLetters } from '../../core/event/ranges.ts'
import {
  mostPrizeCents,
  type PrizeAct,
  type PrizeKind,
  type PrizeState,
  type PublicPrize,
  type PublicPrizeStep,
} from '../../core/prize/promise.ts'
import {
  address,
  answer,
  cents,
  hash,
  listed,
  moment,
  whole as number,
  orNull,
  units,
} from '../http/answers.ts'
import { exact, nullable, read, refusal } from '../http/schema.ts'
import { anySignature, choice, text, wallet, whole, words } from '../http/values.ts'

const event = whole(1, mostEventNumber)

const kinds: readonly PrizeKind[] = ['goods', 'token']
const states: readonly PrizeState[] = ['due', 'unclaimed', 'claimed', 'sent', 'delivered']
const steps: readonly PublicPrizeStep['step'][] = [
  ...(['drawn', 'turn', 'claimed', 'sent', 'corrected', 'delivered'] as const),
]

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
export const promises = t.Array(answer({ kind: listed(kinds), units: orNull(units) }), {
  description: 'What each winner is promised, by place: USDT, or goods that are delivered.',
})
export const promisesOfForm = t.Array(answer({ kind: listed(kinds), amount: orNull(cents) }))

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

export const claimText = answer({
  walletAddress: address,
  message: t.String({ description: 'What the wallet whose turn it is signs, word by word.' }),
  place: number('Of the prize.'),
  claimBy: orNull(moment('Until when it can be claimed; null once it is.')),
  operatorWallet: address,
})
export const claimCode = answer({
  ...{ eventNumber: number(), code: t.String() },
  formUrl: orNull(t.String({ description: 'Of this event: the next one may have another form.' })),
})
export const checkedClaim = answer({
  isValid: t.Boolean(),
  walletAddress: orNull(address),
  place: orNull(number('Of the prize whose holder’s code it is.')),
  winners: orNull(number('How many the event promised.')),
})

const prizeFields = {
  eventNumber: number(),
  place: number('1..`winners`.'),
  kind: listed(kinds),
  units: orNull(units),
  state: listed(states),
  holder: orNull(
    answer({
      kind: listed<NonNullable<PublicPrize['holder']>['kind']>(['winner', 'reserve']),
      place: number(),
      walletAddress: address,
    }),
  ),
  claimBy: orNull(moment('Until when the holder may claim.')),
  steps: t.Array(
    answer({
      step: listed(steps),
      at: moment('The time of a block for all that the chain says.'),
      walletAddress: address,
      transactionHash: orNull(hash),
      reason: orNull(t.String({ description: 'Of `corrected`: why what was said to be sent was not.' })),
    }),
    { description: 'Oldest first.' },
  ),
}
const publicPrize = answer(prizeFields)
export const publicPrizes = t.Array(publicPrize, {
  description: 'What became of the prize of each winner; empty while none is announced.',
})
export const prizeStates = t.Array(
  answer({
    ...{ place: number(), kind: listed(kinds), units: orNull(units), state: listed(states) },
    walletAddress: orNull(address),
    at: orNull(moment('When it came to stand so.')),
  }),
  { description: 'Where each prize stands, and whose it is; empty where no record was kept.' },
)

export const deskPrize = answer({
  ...prizeFields,
  tracking: orNull(t.String({ description: 'Not public.' })),
  unpaid: orNull(units),
})
export const prizeDesk = t.Array(deskPrize, {
  description:
    'Prizes of announced winners, the newest event first; `unpaid` is what of a token prize is due.',
})
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
