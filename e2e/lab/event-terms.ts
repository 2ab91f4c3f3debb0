import type { EventTerms } from '../../core/event/terms.ts'

/** What a new event promises that has neither a date nor a ticket sold. */
export const newTerms: EventTerms = {
  book: null,
  eventNumber: 3,
  chainId: 56,
  token: `0x${'bb'.repeat(20)}`,
  operatorWallet: `0x${'aa'.repeat(20)}`,
  anchorWallet: null,
  ticketPrice: 3n,
  saleStart: new Date('2026-12-01T00:00:00Z'),
  saleEnd: null,
  drawDate: null,
  minTickets: 100,
  autoDraw: true,
  entropy: 'blocks',
  winners: 1,
  claimDays: 30,
  formerWallets: [],
  contentSha256: null,
}
