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
