import { fallbackDrawDate, fallbackMinTickets } from '../../../core/event/event.ts'

/** Content that an operator edits: addresses, and what holds for every event. What one raffles is its own (core/content). */
export const site = {
  name: 'Blockdraw',
  supportEmail: 'support@blockdraw.example',
  socialUrl: 'https://x.com/blockdraw',
  socialName: 'X',
  shopUrl: 'https://shop.blockdraw.example',
  copyright: '© 2025 Blockdraw',
  explorerUrl: 'https://bscscan.com',
  metaMaskUrl: 'https://metamask.io/download/',
}

/** Shown only if the server's settings could not be loaded. */
export const fallback = {
  operatorWallet: import.meta.env.PUBLIC_OPERATOR_WALLET || null,
  drawDate: fallbackDrawDate,
  ticketPrice: 3,
  minTicketsForDraw: fallbackMinTickets,
}
