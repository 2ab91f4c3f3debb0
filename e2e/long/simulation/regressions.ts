import { deepLies, type Lie, plainLies, type Step, type Story } from './story.ts'

/** The shortest stories of seeds that have failed once, each with what went wrong: they are played for ever. */
export const regressions: readonly (Story & { name: string })[] = [
  {
    name: 'of two payments of a block the log index of the only endpoint lacked one, and a ticket was lost',
    endpoints: 1,
    steps: [pay(30_89, 1_98, 11_28), tells('half-of-the-logs'), mine(4), scan()],
  },
  {
    name: 'the only endpoint swapped two transactions of a block, and their tickets changed places',
    endpoints: 1,
    steps: [pay(2_99, 3_00, 3_01), tells('swapped-indexes'), mine(2), scan()],
  },
  {
    name: 'one of two endpoints swapped two transactions of a block, and their tickets changed places',
    endpoints: 2,
    steps: [tells('swapped-indexes'), pay(39_25, 20_86, 3_01), mine(2), { do: 'two workers' }],
  },
  {
    name: 'a wrong answer about a block was kept, and the scan stood still when the node was honest again',
    endpoints: 2,
    steps: [pay(10_34, 99_00), mine(2), tells('swapped-transactions'), scan()],
  },
  {
    name: 'one of two endpoints lost its history before the first scan',
    endpoints: 2,
    steps: [pay(10_34, 99_00), mine(30), tells('pruned-error'), pay(3_00), mine(3), scan()],
  },
  {
    name: 'below the frozen list of an event without a ticket other blocks held one, and the list stayed frozen',
    endpoints: 3,
    steps: [{ do: 'come to the draw', drawIn: 30 }, pay(37_16), { do: 'replace', depth: 19, again: true }],
  },
  {
    name: 'late money of an archived event went with its block, and was owed all the same',
    endpoints: 3,
    steps: [
      { do: 'set the database clock', ahead: 29 },
      { do: 'draft', drawIn: 243, minTickets: 30, autoDraw: null, claimDays: 45, isOld: false },
      { do: 'come to the draw', drawIn: 36 },
      { do: 'open the next event', drawIn: null },
      pay(99_00, 9_69),
      mine(4),
      scan(),
      { do: 'replace', depth: 42, again: false },
    ],
  },
  {
    name: 'a process that started again took back what a draft had chosen for the event',
    endpoints: 2,
    steps: [
      { do: 'draft', drawIn: 200, minTickets: 3, autoDraw: false, claimDays: 45, isOld: false },
      { do: 'come to the draw', drawIn: 15 },
      { do: 'open the next event', drawIn: null },
      { do: 'restart', wallet: null, price: 3_00, lead: 10 },
    ],
  },
  {
    name: 'money to a wallet that was not ours yet counted as a debt once the next event was paid to it',
    endpoints: 2,
    steps: [
      { do: 'draft', drawIn: 199, minTickets: 32, autoDraw: null, claimDays: 20, isOld: false },
      { do: 'pay', payments: [{ buyer: 2, cents: 21_38, to: 2, post: true }] },
      pay(3_00, 99_00),
      { do: 'come to the draw', drawIn: 15 },
      { do: 'open the next event', drawIn: null },
      { do: 'restart', wallet: 2, price: 2_00, lead: 10 },
    ],
  },
  {
    name: 'late money was lost with a reorg that began before the open event',
    endpoints: 2,
    steps: [
      { do: 'come to the draw', drawIn: 54 },
      { do: 'replace', depth: 30, again: true },
      {
        do: 'pay together',
        shares: [
          { buyer: 4, cents: 2_99 },
          { buyer: 3, cents: 4_26 },
        ],
      },
      { do: 'save', drawIn: 86, minTickets: 7, wallet: 2 },
    ],
  },
  {
    name: 'a reorg moved payments of a drawn list into the time of the event before, and that one was to give them back',
    endpoints: 3,
    steps: [
      { do: 'come to the draw', drawIn: 37 },
      { do: 'draft', drawIn: 74, minTickets: 27, autoDraw: true, claimDays: 47, isOld: false },
      { do: 'open the next event', drawIn: null },
      pay(99_00, 99_00, 99_00, 6_94),
      { do: 'come to the draw', drawIn: 63 },
      { do: 'replace', depth: 26, again: true },
    ],
  },
  {
    name: 'a refund listed from final blocks that were then replaced looked as if somebody had been paid twice',
    endpoints: 3,
    steps: [
      pay(8_29, 37_49, 2_99),
      { do: 'come to the draw', drawIn: 26 },
      { do: 'refund', isOld: false },
      { do: 'replace', depth: 42, again: false },
      { do: 'refund', isOld: true },
    ],
  },
  {
    name: 'the second reading found a line of an archived list where other blocks were, and went back again and again',
    endpoints: 1,
    steps: [
      pay(0, 35_52, 21_22),
      { do: 'come to the draw', drawIn: 76 },
      { do: 'replace', depth: 38, again: false },
      { do: 'save', drawIn: 51, minTickets: 14, wallet: 0 },
      { do: 'sweep', runs: [1, 0, 0, 0], dieAt: null },
    ],
  },
  {
    name: 'a reorg moved a payment of a frozen list to another block, and its event ended in refunds as if it were lost',
    endpoints: 2,
    steps: [
      { do: 'save', drawIn: 60, minTickets: 1, wallet: undefined },
      pay(99_00, 99_00),
      { do: 'wait', seconds: 47 },
      mine(4),
      scan(),
      { do: 'sweep', runs: [], dieAt: null },
      { do: 'replace', depth: 7, again: true },
      mine(4),
      scan(),
      scan(),
      { do: 'sweep', runs: [], dieAt: null },
    ],
  },
  {
    name: 'a payment below the price of terms that were replaced was told as too little, though it was on the list',
    endpoints: 2,
    steps: [
      { do: 'restart', wallet: 0, price: 2_00, lead: 20 },
      pay(3_01, 19_64, 2_99),
      { do: 'come to the draw', drawIn: 30 },
    ],
  },
]

function pay(...cents: number[]): Step {
  const payments = cents.map((sum, index) => ({ buyer: 1 + (index % 5), cents: sum, to: null, post: false }))
  return { do: 'pay', payments }
}

function tells(lie: Lie): Step {
  const [plain, deep]: (readonly Lie[])[] = [plainLies, deepLies]
  const which = plain?.indexOf(lie) ?? -1
  return { do: 'lie', endpoint: 0, plain: which >= 0, which: which >= 0 ? which : (deep?.indexOf(lie) ?? 0) }
}

function mine(blocks: number): Step {
  return { do: 'mine', blocks, seconds: 0 }
}

function scan(): Step {
  return { do: 'scan', dieAt: null }
}
