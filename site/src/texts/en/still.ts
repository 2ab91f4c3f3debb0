/** Texts that no script uses. {price}: the live ticket price, {minimum}: the live minimum. */
export const still = {
  sections: {
    home: 'Home',
    buy: 'Buy Tickets',
    recent: 'Recent Purchases',
    winner: 'Winner',
    next: 'Next Event',
  },
  header: {
    skip: 'Skip to content',
    home: 'Blockdraw, home',
    nav: 'Sections',
    menu: 'Menu',
    darkTheme: 'Dark theme',
    theme: 'Theme',
    otherLanguage: '한국어',
    language: 'Language',
  },
  legal: {
    terms: 'Terms',
    privacy: 'Privacy',
    back: 'Back to the raffle',
    loading: 'Loading the text…',
    none: 'No text is published here.',
    failed: 'The text could not be loaded. Reload the page, or try again in a moment.',
    again: 'Try again',
    version: 'Version {sha256}, saved on {date}',
  },
  broken:
    'A part of this page could not be loaded, or is not the file that was published. Reload the page. If this stays, connect no wallet here and send no money.',
  hero: {
    event: 'Event no.',
    value: 'Prize value',
    bars: 'SHA-256, 5 blocks',
    price: 'Price',
    buy: 'Buy Tickets',
    draw: 'Start Draw',
    hint: 'No purchase limit. Full refund below {minimum} tickets.',
    /** What leads once nothing is sold, and what is said below it. */
    waiting: { lead: 'See when it is drawn', hint: 'The sale is over. The draw is next.' },
    drawn: { lead: 'See the result', check: 'Check this draw', hint: 'This event is drawn.' },
    refund: { lead: 'See the refund', hint: 'There is no draw. Every payment goes back in full.' },
  },
  stats: {
    sold: 'Tickets sold',
    soldShort: 'Sold',
    price: 'USDT per ticket',
    priceShort: 'USDT / ticket',
    chain: 'Chain',
    drawDate: 'Draw Date',
    saleEnd: 'Sales End Date',
  },
  countdown: {
    title: 'Time Until Draw',
    date: 'Draw Date',
    timer: 'Time until draw',
    days: 'Days',
    hours: 'Hours',
    minutes: 'Minutes',
    seconds: 'Seconds',
  },
  calendar: 'Add to calendar',
  transparency: {
    title: 'How the winner is chosen',
    lead: 'Four steps, all of them public. The ticket list is sealed before the blocks exist.',
    past: 'See past draws',
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
  },
  prize: {
    title: 'The prize',
  },
  participate: {
    title: 'How to Participate',
    lead: 'Five rules. The chain keeps them, and so do we.',
    counter: 'To the ticket counter',
    example: 'Example',
    examplePaid: '{paid} USDT in one transaction',
    exampleTickets: '{bought}',
    refundTitle: 'Refund policy.',
    minimum: 'The minimum is {minimum} tickets.',
  },
  rules: [
    'Connect a wallet of your own on BNB Smart Chain, or send USDT (BEP-20) from it by hand.',
    'One ticket is {price} USDT. Pay for all the tickets you want in one transaction.',
    'The amount decides the tickets: whole tickets only, and any remainder below one ticket stays with the operator.',
    'Tickets go to the sending address. Do not pay from an exchange: prize and refund go to that address too.',
    'Numbers are given out in the order of the chain once a payment is final. Its block must be earlier than the end of the sale.',
  ],
  byHand: {
    title: 'Sending by hand?',
    text: 'Transfer USDT to the operator wallet and email the transaction hash to {email}. Your tickets appear in Recent Purchases within 24 hours, based on the amount sent.',
  },
  refundPolicy:
    'If fewer tickets than the minimum are sold there is no draw. Every payment goes back in full to the address it came from, within 3-5 business days.',
  operator: { label: 'Operator wallet', copy: 'Copy operator wallet', qr: 'QR code of the address' },
  guide: {
    title: 'In four steps',
    steps: [
      {
        title: 'Get USDT on BSC',
        text: 'USDT as BEP-20 in your wallet, and a little BNB for the network fee.',
      },
      {
        title: 'Connect your wallet',
        text: 'MetaMask or another browser wallet. Only your address is asked for.',
      },
      { title: 'Buy tickets', text: 'Choose a quantity and approve one transfer to the operator wallet.' },
      {
        title: 'Watch the draw',
        text: 'At the draw date the winner is computed and shown to everyone at once.',
      },
    ],
  },
  reasonsTitle: 'Why choose us',
  buy: {
    title: 'Buy Tickets',
    total: 'Total Sales:',
    sold: '{sold} tickets sold',
    salesEnd: 'Sales end',
    how: 'How to buy',
    steps: [
      { title: 'Connect your wallet', text: 'MetaMask or another wallet on BNB Smart Chain.' },
      {
        title: 'Select a quantity',
        text: 'One ticket is {price} USDT. {paid} USDT in one transaction is {bought}.',
      },
      {
        title: 'Pay in one transaction',
        text: 'Quantity times ticket price, sent straight to the operator wallet.',
      },
      { title: 'Receive your tickets', text: 'Issued after the transaction is final on the chain.' },
    ],
    ownWallet:
      'Pay from a wallet of your own, not from an exchange. Prize and refund go to the sending address.',
    tooFew: 'If too few tickets are sold',
    minimum: 'Minimum of {minimum} tickets',
  },
  recent: {
    title: 'Recently Purchased Tickets',
    lead: 'Newest first, straight from the public ticket list.',
    connecting: 'Connecting',
    explorer: 'Open BscScan',
    hint: 'Every row is a payment anyone can find on the chain.',
  },
  winner: {
    title: 'Winner Announcement',
    noScript: 'Live results need JavaScript. Past draws stand on the chain.',
    check: 'Check this draw',
    history: 'Past Winner History',
    changes: 'Changes to this event',
  },
  fairness: {
    title: 'What a check proves',
    points: [
      'Nobody can choose the moment: the blocks are the first one at or after the draw date and the four before it.',
      'Nobody can choose the list: it is frozen when the sale ends, its fingerprint is public before the blocks exist, and anyone can rebuild it from the chain.',
      'Nobody can draw again: the same five hashes, with the same round of drand where one is taken, always name the same winners and reserves.',
      'What no check can show: that the producer of the last block did not try several of them, which a round of drand rules out, or that the operator bought no tickets from other wallets.',
      'No contract holds the money: what is held and owed, and what became of each prize, stands on this page, and that it is paid and sent stays a promise of the operator.',
    ],
  },
  next: { title: 'Next Event' },
}
