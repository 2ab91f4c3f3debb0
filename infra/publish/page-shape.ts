import type {
  Both,
  ContentPrize,
  EventContent,
  EventPage,
  Picture,
} from '../../core/content/event-content.ts'
import type { PublicPrize, PublicPrizeStep } from '../../core/prize/promise.ts'
import { eventWords } from '../../site/src/texts/en/event.ts'
import {
  address,
  digits,
  fields,
  hash,
  list,
  matching,
  moment,
  oneOf,
  orNull,
  text,
  truth,
  whole,
} from './shape.ts'

const both = fields<Both>({ en: text, ko: text })

const picture = fields<Picture>({
  ...{ key: matching(/^[\w-]+\.(jpg|png)$/), sha256: hash, width: whole, height: whole, alt: both },
})

const prize = fields<ContentPrize>({
  ...{ name: both, value: text, kind: oneOf(['goods', 'token']), amount: orNull(whole), copies: whole },
  ...{ about: both, facts: list(fields({ name: both, value: both })), pictures: list(picture) },
})

const content = fields<EventContent>({
  ...{ title: both, lead: both, summary: both, shipping: both, prizes: list(prize) },
  links: list(fields({ label: both, url: matching(/^https:\/\//i) })),
})

type Result = NonNullable<EventPage['result']>
const result = fields<Result>({
  winners: list(
    fields<Result['winners'][number]>({
      ...{ place: whole, walletAddress: address, transactionHash: hash },
      ...{ ticketNumber: whole, ticketCount: whole },
    }),
  ),
  ...{ randomNumber: digits, drawnAt: moment, ledgerSha256: hash, commitment: orNull(hash) },
})

const states: PublicPrize['state'][] = ['due', 'unclaimed', 'claimed', 'sent', 'delivered']
const steps: PublicPrizeStep['step'][] = [
  ...(['drawn', 'turn', 'claimed', 'sent', 'corrected', 'delivered'] as const),
]

const record = fields<PublicPrize>({
  ...{ eventNumber: whole, place: whole, kind: oneOf(['goods', 'token']), units: orNull(digits) },
  ...{ state: oneOf(states), claimBy: orNull(moment) },
  holder: orNull(fields({ kind: oneOf(['winner', 'reserve']), place: whole, walletAddress: address })),
  steps: list(
    fields<PublicPrizeStep>({
      ...{ step: oneOf(steps), at: moment, walletAddress: address },
      ...{ transactionHash: orNull(hash), reason: orNull(text) },
    }),
  ),
})

/** What the page of an event is made of: half an answer would make half a page, and an object in place of a text may be read as markup. */
export const pageShape = fields<EventPage>({
  ...{ eventNumber: whole, state: oneOf(Object.keys(eventWords.states)), isArchived: truth },
  ...{ content: orNull(content), contentSha256: orNull(hash) },
  ...{ terms: text, termsSha256: hash, ticketPrice: whole, ticketsSold: whole, minTickets: whole },
  ...{ saleStart: moment, saleEnd: orNull(moment), drawDate: orNull(moment) },
  ...{ entropy: text, operatorWallet: orNull(address), chainId: whole, tokenAddress: address },
  ...{ refundReason: orNull(text), result: orNull(result), hasLedger: truth, prizes: list(record) },
  changes: list(fields({ at: moment, field: text, from: orNull(text), to: orNull(text) })),
})
