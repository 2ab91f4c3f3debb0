import { Type as t } from '@sinclair/typebox'
import { mostWinners } from '../../core/draw/winners.ts'
import { entropies } from '../../core/event/event.ts'
import { claimDaysRange, minTicketsRange } from '../../core/event/ranges.ts'
import { address, answer, entropy, moment, whole as number, orNull } from '../http/answers.ts'
import { exact, invalid, nullable, read } from '../http/schema.ts'
import { choice, date, flag, whole } from '../http/values.ts'
import { promisesIn, promisesOfForm } from '../prize/schema.ts'

/** Revision of the draft that the form was filled with. */
const version = whole(1, 2_147_483_647)

/** The draft as a whole; null, or left out: as it is without a draft. */
export const draftBody = exact(
  {
    drawDate: t.Optional(nullable(date)),
    minTicketsForDraw: t.Optional(nullable(whole(minTicketsRange.min, minTicketsRange.max))),
    autoDraw: t.Optional(nullable(flag())),
    claimDays: t.Optional(nullable(whole(claimDaysRange.min, claimDaysRange.max))),
    entropy: t.Optional(nullable(choice(entropies))),
    winners: t.Optional(nullable(whole(1, mostWinners))),
    /** One for each winner. */
    prizes: t.Optional(nullable(promisesIn)),
    version,
  },
  {
    someOf: [
      ...['drawDate', 'minTicketsForDraw', 'autoDraw', 'claimDays'],
      ...['entropy', 'winners', 'prizes'],
    ],
  },
)
export const discardQuery = exact({
  version: read(t.String({ pattern: '^[1-9]\\d{0,8}$', ...invalid }), Number),
})
export const openBody = exact({
  version,
  /** `version` of `next-content` that was seen; left out: any. */
  contentVersion: t.Optional(version),
})

/** What an event promises, as both forms have it. */
export const termsInForm = {
  drawDate: orNull(moment()),
  saleEndDate: orNull(moment('Draw date less the lead.')),
  minTicketsForDraw: number(),
  entropy,
  winners: number(),
  prizes: promisesOfForm,
  saleLeadSeconds: number('Of the environment.'),
  operatorWallet: orNull(address),
}
const promised = (description: string) =>
  answer(
    {
      ...termsInForm,
      autoDraw: t.Boolean({ description: 'Without it an administrator starts the draw.' }),
      claimDays: number(),
      ticketPrice: t.Number({ description: 'USDT; of the environment, as chain and token.' }),
      chainId: number(),
      tokenAddress: address,
    },
    { description },
  )

export const nextTermsAnswer = answer({
  eventNumber: number('The event that these terms are for.'),
  draft: answer(
    {
      drawDate: orNull(moment()),
      minTicketsForDraw: orNull(number()),
      autoDraw: orNull(t.Boolean()),
      claimDays: orNull(number()),
      entropy: orNull(entropy),
      winners: orNull(number()),
      prizes: orNull(promisesOfForm),
    },
    { description: 'What the draft chooses; null is left to the environment or the event before.' },
  ),
  savedAt: orNull(moment('Null while there is no draft.')),
  current: promised('What the open event promises.'),
  next: promised('What the next one would promise.'),
  terms: t.String({ description: 'Its terms line, if it were opened now.' }),
  canOpen: t.Boolean({ description: 'The open event is over.' }),
  version: number(),
})
