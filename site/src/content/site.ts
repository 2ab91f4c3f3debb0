import { fallbackDrawDate, fallbackMinTickets } from '../../../core/event.ts'

/** The texts an operator edits: the prize, the addresses people write to, and what the page promises. */
export const site = {
  name: 'Blockdraw',
  title: 'Blockdraw: a home miner, drawn in public',
  description:
    'Tickets for a $2,500 home crypto-mining device, paid in USDT on BNB Smart Chain. The winner comes from five public block hashes, so anyone can check the draw.',
  supportEmail: 'support@blockdraw.example',
  socialUrl: 'https://x.com/blockdraw',
  socialName: 'X',
  shopUrl: 'https://shop.blockdraw.example',
  copyright: '© 2025 Blockdraw',
  explorerUrl: 'https://bscscan.com',
  metaMaskUrl: 'https://metamask.io/download/',
}

/** Shown only where the server's own settings could not be loaded. */
export const fallback = {
  operatorWallet: null as string | null,
  drawDate: fallbackDrawDate,
  ticketPrice: 3,
  minTicketsForDraw: fallbackMinTickets,
}

export const prize = {
  value: '$2,500',
  kind: 'Home miner',
  perDay: '385 coins / day',
  details: [
    ['Retail price', '4,100,000 won'],
    ['Prize value', '$2,500'],
    ['Mined per day', 'about 385 coins'],
    ['Shipping', 'October 2025'],
    ['Delivery', '3–5 days after details'],
  ],
  about:
    'One home crypto-mining device, drawn once. It is sent 3–5 days after the winner’s shipping details are confirmed.',
  /** One more line under the details, for example when a shipping date has passed. */
  extraLine: '',
}

export const hero = {
  title: ['One miner,', 'one draw,', 'all in public.'],
  lead: 'A $2,500 home miner, {price} USDT a ticket. The winner comes from five public block hashes, so anyone can check it.',
}

export const transparency = {
  title: 'How the winner is chosen',
  lead: 'Four steps, all of them public. The ticket list is sealed before the blocks exist.',
  steps: [
    {
      title: 'Collect five block hashes',
      text: 'The five latest blocks of BNB Smart Chain at the draw date. Nobody knows them before.',
    },
    {
      title: 'Combine them with SHA256',
      text: 'Raw hashes, oldest first, go in. One 256-bit number comes out.',
    },
    {
      title: 'Select the winner',
      text: 'That number modulo the tickets sold, plus one, is the winning ticket.',
    },
    {
      title: 'Publish the result',
      text: 'Hashes, number, ticket list and winner stay public. Check them yourself.',
    },
  ],
}

export const rules = [
  'Connect a wallet of your own on BNB Smart Chain, or send USDT (BEP-20) from it by hand.',
  'One ticket is {price} USDT. Pay for all the tickets you want in one transaction.',
  'The amount decides the tickets: whole tickets only, and any remainder below one ticket stays with the operator.',
  'Tickets go to the sending address. Do not pay from an exchange: prize and refund go to that address too.',
  'Numbers are given out in the order of the chain once a payment is final. Its block must be earlier than the end of the sale.',
]

export const guide = [
  { title: 'Get USDT on BSC', text: 'USDT as BEP-20 in your wallet, and a little BNB for the network fee.' },
  {
    title: 'Connect your wallet',
    text: 'MetaMask or another browser wallet. Only your address is asked for.',
  },
  { title: 'Buy tickets', text: 'Choose a quantity and approve one transfer to the operator wallet.' },
  { title: 'Watch the draw', text: 'At the draw date the winner is computed and shown to everyone at once.' },
]

export const reasons = [
  { title: 'A list anyone can rebuild', text: 'Every ticket is a USDT transfer that stands on the chain.' },
  {
    title: 'A draw anyone can repeat',
    text: 'Five block hashes and SHA256: public data, and nothing of ours.',
  },
  {
    title: 'No second draw',
    text: 'The blocks are fixed by the draw date. Running it again names the same winner.',
  },
  {
    title: 'No purchase limit',
    text: 'One ticket or a thousand from one wallet; every ticket counts the same.',
  },
  {
    title: 'Refund below the minimum',
    text: 'Too few tickets, and every payment goes back to where it came from.',
  },
  { title: 'No account', text: 'No sign-up and no email. Your wallet address is your ticket holder’s name.' },
]

export const howToBuy = [
  { title: 'Connect your wallet', text: 'MetaMask or another wallet on BNB Smart Chain.' },
  {
    title: 'Select a quantity',
    text: 'One ticket is {price} USDT. 99 USDT in one transaction is 33 tickets.',
  },
  {
    title: 'Pay in one transaction',
    text: 'Quantity times ticket price, sent straight to the operator wallet.',
  },
  { title: 'Receive your tickets', text: 'Issued after the transaction is final on the chain.' },
]

export const refundPolicy =
  'If fewer tickets than the minimum are sold there is no draw. Every payment goes back in full to the address it came from, within 3–5 business days.'
