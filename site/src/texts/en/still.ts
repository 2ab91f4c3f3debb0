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
    checkLead: 'Runs in your browser against a public node.',
    history: 'Past Winner History',
    historyLead: 'Every finished event, newest first.',
    changes: 'Changes to this event',
    changesLead: 'Dates, minimum, wallet and announcements, each with its time in UTC. Nothing is taken out.',
  },
  fairness: {
    title: 'What a check proves',
    lead: 'And what it cannot. Both sides, in full.',
    excluded: 'Excluded',
    notExcluded: 'Not excluded',
    excludedPoints: [
      {
        name: 'Choosing the moment.',
        text: 'The blocks are the first one at or after the draw date and the four before it. A later click changes nothing.',
      },
      {
        name: 'Choosing the list.',
        text: 'It is frozen at the end of the sale, and its fingerprint is published before the blocks exist. Anyone can rebuild it from the chain, byte for byte.',
      },
      {
        name: 'Drawing again.',
        text: 'The same five hashes, with the same round where one is taken, always name the same tickets, also after an announcement was cleared.',
      },
      {
        name: 'Choosing a winner.',
        text: 'Where several are drawn, all of them and the reserves follow from the one number.',
      },
    ],
    source: 'Who could push the number',
    sourceLead:
      'The operator cannot in either case. Which one an event takes is in its terms, before the first ticket is sold.',
    sources: [
      {
        name: 'Five block hashes alone',
        points: [
          {
            name: 'Excluded.',
            text: 'That a buyer or the operator influences the number: neither makes blocks.',
          },
          {
            name: 'Not excluded.',
            text: 'A block producer on duty at the draw date can change its block a little, look at the result and try again before it publishes, or withhold it. Where a ticket in a thousand is his, that can be enough. Proof and certificate name who made each of the five blocks; often it is one producer for all five.',
          },
        ],
      },
      {
        name: 'Five block hashes and a round of drand',
        points: [
          {
            name: 'Excluded.',
            text: 'That a block producer alone, or drand alone, chooses: the round, a random number by a group of independent organisations, comes at least a minute after the blocks, and the blocks come after the key of the group. Its number is fixed by the draw date, and a late round is waited for, never replaced.',
          },
          {
            name: 'Not excluded.',
            text: 'That as many members of drand as can sign together conspire with the block producer. Or that somebody holds up the whole chain for most of a minute: he could choose between two rounds, once. A late round is waited for, however late; only if seven days later drand goes on and this round alone is missing, all money goes back.',
          },
        ],
      },
    ],
    notExcludedPoints: [
      {
        name: 'The operator among the buyers.',
        text: 'The operator or friends can buy tickets from other wallets. It costs them gas, as the price comes back to them.',
      },
      {
        name: 'Delivery.',
        text: 'No contract holds the money. That the prize is sent and refunds are paid is a promise of the operator; whether it was kept stays on this page.',
      },
    ],
    money: 'Money and prizes, in the open',
    moneyLead: 'What the page shows of both by itself, and what it cannot show.',
    moneyParts: [
      {
        name: 'What is held and owed',
        points: [
          {
            name: 'Shown.',
            text: 'What the operator’s wallets hold at one final block, and what they owe: tickets until the draw, refunds, and prizes in USDT.',
          },
          {
            name: 'Checked.',
            text: 'Two nodes have to tell the same balance. What could not be read for ten minutes is said to be unknown, not covered.',
          },
          {
            name: 'Not shown.',
            text: 'That the money stays. It can be moved a block later, or be borrowed for the picture; a debt that no chain knows of is in no sum.',
          },
        ],
      },
      {
        name: 'How a prize is claimed',
        points: [
          {
            name: 'In turn.',
            text: 'Each winner has the days that the terms name (30 unless they say otherwise) to claim. What is not claimed goes to the next reserve in the order of the draw, who has as many; after the last reserve, to nobody. The times of final blocks decide, and nobody chooses.',
          },
          {
            name: 'By a signature.',
            text: 'The wallet signs a message that is good for this site, this prize, once, for ten minutes. A wallet that is a contract can sign too. It costs nothing.',
          },
          {
            name: 'Without this site.',
            text: 'Exactly 0.000000000000000001 USDT from that wallet to the operator wallet claims as well, by the time of its block. It buys no ticket and is not given back.',
          },
          {
            name: 'Receipts.',
            text: 'A prize is delivered only once its holder has signed that it came: the operator cannot say so. A prize in USDT is paid once exactly its amount is final on the chain.',
          },
        ],
      },
    ],
  },
  next: { title: 'Next Event' },
}
