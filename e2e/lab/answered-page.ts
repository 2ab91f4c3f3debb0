import type { EventPage } from '../../core/content/event-content.ts'
import { contentSha256 } from '../../core/content/promised.ts'
import { type EventTerms, termsLine, termsSha256 } from '../../core/event/terms.ts'
import { aContent, aPicture, aPrize } from './content.ts'

const token = `0x${'55'.repeat(20)}` as const
const saleStart = new Date('2030-01-01T00:00:00Z')
const content = aContent({ prizes: [aPrize({ pictures: [aPicture] })] })

/** What the API answers of an event that sells one bicycle with a picture, whose terms are those given. */
export function answeredPage(
  eventNumber: number,
  change: Partial<EventPage> = {},
  terms: Partial<EventTerms> = {},
): EventPage {
  const line = termsLine({
    ...{ eventNumber, chainId: 56, token, operatorWallet: null, anchorWallet: null, ticketPrice: 3n },
    ...{ saleStart, saleEnd: null, drawDate: null, minTickets: 1, autoDraw: true },
    ...{ entropy: 'blocks', winners: 1, claimDays: 30, book: null },
    ...{ formerWallets: [], contentSha256: contentSha256(content), ...terms },
  })
  return {
    ...{ eventNumber, state: 'on-sale', isArchived: false, content, contentSha256: contentSha256(content) },
    ...{ terms: line, termsSha256: termsSha256(line), ticketPrice: 300, ticketsSold: 0 },
    ...{ minTickets: 1, saleStart: saleStart.toISOString() },
    ...{ saleEnd: null, drawDate: null, entropy: 'blocks', operatorWallet: null, chainId: 56 },
    ...{ tokenAddress: token, refundReason: null, result: null, hasLedger: false, prizes: [], changes: [] },
    ...change,
  }
}
