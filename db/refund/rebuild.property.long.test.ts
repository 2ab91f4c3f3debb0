import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { KeptBooks, second } from '../../e2e/lab/kept-books.ts'
import { alice, bob, operator } from '../../e2e/lab/ledger-story.ts'

const seeds = Number(process.env.REFUND_SEEDS ?? 8)
const payers = [alice, bob] as const
const otherToken: Address = `0x${'71'.repeat(20)}`
const actions = [
  'pay',
  'pay',
  'pay',
  'send',
  'sendOther',
  'call',
  'call',
  'waive',
  'prepare',
  'refold',
  'rewind',
] as const
type Step = { do: (typeof actions)[number]; a: number; b: number }

async function run(kept: KeptBooks, { do: what, a, b }: Step): Promise<void> {
  const payer = a % 3 === 0 ? bob : alice
  const wallet = b % 2 ? second : operator
  const cents = 10 + ((a + b) % 8) * 10
  await kept.block(async () => {
    if (what === 'pay') kept.pay(payer, wallet, cents)
    if (what === 'send') kept.send({ payer, wallet, units: unitsOf(cents) })
    if (what === 'sendOther') kept.send({ payer, wallet, units: unitsOf(cents), token: otherToken })
    if (what === 'waive') kept.remember({ payer, wallet, total: unitsOf(cents), isPaid: false })
    // Mostly what the books say, sometimes what an old list or a mistake says.
    if (what === 'call') {
      const { totals } = await kept.books(payers)
      const ours = totals.find((one) => one.wallet === wallet && one.debtor === payer)
      const total = a % 4 === 0 ? unitsOf(cents) : (ours?.total ?? 0n)
      kept.remember({ payer, wallet, total, isPaid: true })
    }
  })
  if (what === 'prepare') await kept.prepare()
  if (what === 'refold') await kept.refold(2 + (a % kept.height))
  if (what === 'rewind') await kept.rewind(2 + (a % kept.height))
}

/**
 * What each payer is owed, and what the register and the wallets have done. By which wallet it is owed is not compared:
 * one that has waived owes it until another one takes it over, and which of a payer's refunds settled a debt that was
 * taken over is decided while they come. Null for whom the register has paid more than the books can explain: nothing
 * goes out to him before somebody has looked.
 */
async function books(kept: KeptBooks) {
  const { db } = kept
  const { totals, fits } = await kept.books(payers)
  const due = new Map<string, bigint | null>()
  for (const one of totals) {
    const key = `${one.token} ${one.debtor}`
    const paidByCall = max(one.total - fits.remembered(one), 0n)
    expect(paidByCall, 'a call pays no more than is due').toBeLessThanOrEqual(one.due)
    const known = due.get(key)
    due.set(key, known === null || fits.isAhead(one) ? null : (known ?? 0n) + one.due)
  }
  const memory = await db.execute<{ text: string }>(sql`
    select concat_ws(' ', wallet, token, debtor, kind, units, total) as text from register_entries where not is_gone`)
  const transfers = await db.execute<{ text: string }>(sql`
    select concat_ws(' ', transaction_hash, wallet, token, recipient, units, debtor) as text from operator_transfers
    where not is_gone`)
  const texts = (rows: Iterable<{ text: string }>) => [...rows].map(({ text }) => text).sort()
  return { due, memory: texts(memory), transfers: texts(transfers) }
}
type Books = Awaited<ReturnType<typeof books>>

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Both books say the same of each payer of whom both say what he is owed. Answers with their number, and that of all. */
function compare(kept: Books, rebuilt: Books): [known: number, all: number] {
  expect({ ...kept, due: null }).toEqual({ ...rebuilt, due: null })
  const keys = [...new Set([...kept.due.keys(), ...rebuilt.due.keys()])]
  // Of whom nothing is owed it is no matter whether he is named.
  const said = keys.map((key) => [kept, rebuilt].map(({ due }) => (due.has(key) ? due.get(key) : 0n)))
  const known = said.filter(([before, after]) => before !== null && after !== null)
  for (const [before, after] of known) expect(after).toBe(before)
  return [known.length, said.length]
}

const steps = (...told: [Step['do'], number, number][]): [Step[]] => [
  told.map(([what, a, b]) => ({ do: what, a, b })),
]
const examples = [
  // Preparing hands a debt over that plain transfers settle as well, one of them later.
  steps(
    ['waive', 0, 4],
    ['call', 24, 11],
    ['pay', 18, 18],
    ['pay', 15, 26],
    ['send', 6, 31],
    ['prepare', 4, 22],
    ['send', 36, 18],
  ),
  // A call by mistake, for what was waived when the row was prepared and is a part of what is owed in the end.
  steps(
    ['waive', 13, 2],
    ['pay', 7, 2],
    ['call', 28, 33],
    ['prepare', 2, 32],
    ['pay', 10, 0],
    ['pay', 17, 16],
    ['pay', 23, 3],
    ['pay', 26, 10],
    ['pay', 29, 11],
  ),
]

test('books that are rebuilt from the chain alone say what the books say that were kept all along', {
  timeout: 240_000 + seeds * 10_000,
}, async () => {
  const story = fc.array(fc.record({ do: fc.constantFrom(...actions), a: fc.nat(40), b: fc.nat(40) }), {
    minLength: 6,
    maxLength: 24,
  })
  let [compared, count] = [0, 0]
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const kept = await KeptBooks.open()
      await kept.follow(1, { transfers: [], entries: [] })
      for (const step of steps) await run(kept, step)
      await kept.prepare()
      const rebuilt = await kept.rebuilt()
      const [known, all] = compare(await books(kept), await books(rebuilt))
      compared += known
      count += all
      await Promise.all([kept.own.close(), rebuilt.own.close()])
    }),
    // The same stories in each run of the suite; others by REFUND_SEED, many by REFUND_SEEDS.
    { numRuns: seeds, endOnFailure: true, examples, seed: Number(process.env.REFUND_SEED ?? 20) },
  )
  expect(compared / count).toBeGreaterThan(0.5)
})
