import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob } from '../../e2e/lab/ledger-story.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { loadAccounts } from './accounts.ts'
import { answerReaddress, askReaddress } from './decisions.ts'

const seeds = Number(process.env.REFUND_SEEDS ?? 10)
const carol = `0x${'ca'.repeat(20)}` as const
const people: readonly Address[] = [alice, bob, carol, `0x${'d0'.repeat(20)}`]
const steps = fc.array(
  fc.record({
    do: fc.constantFrom('pay', 'pay', 'prepare', 'move', 'send', 'send', 'refold', 'reorg'),
    who: fc.nat(people.length - 1),
    a: fc.nat(30),
  }),
  { minLength: 6, maxLength: 18 },
)

/** A row goes to another address, which may be that of another payer. */
async function move(trail: RefundTrail, at: number, recipient: Address): Promise<void> {
  const rows = (await trail.rows()).filter(({ stored }) => stored.state !== 'settled' && !stored.offeredAt)
  const row = rows[at % Math.max(1, rows.length)]?.stored
  if (!row) return
  const id = await askReaddress(trail.db, { rowId: row.id, recipient, signature: '0x', waitMs: 60_000 })
  await trail.db.transaction((tx) => answerReaddress(tx, id, 'contract'))
}

async function run(trail: RefundTrail, step: { do: string; who: number; a: number }): Promise<void> {
  const who = people[step.who] as Address
  if (step.do === 'pay' && step.who < 3) await trail.pay(who, 10 + (step.a % 5) * 20)
  if (step.do === 'prepare') await trail.prepare('leftover')
  if (step.do === 'move') await move(trail, step.a, who)
  if (step.do === 'send') {
    trail.byHand(who, 10 + step.a * 7)
    await trail.mine()
  }
  if (step.do === 'refold' || step.do === 'reorg')
    await trail.refold({ from: 2 + (step.a % trail.height), isReorg: step.do === 'reorg' })
}

test('I33 the desk shows, and an offer hands out, what the whole books leave due, wherever rows go and whatever was sent to whom', {
  timeout: 240_000 + seeds * 10_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const own = await testDb()
      try {
        const trail = await RefundTrail.open(own)
        for (const step of [...story, { do: 'prepare', who: 0, a: 0 }]) {
          await run(trail, step)
          const rows = await trail.rows()
          const whole = await loadAccounts(trail.db, people)
          const isUnderWay = (row: (typeof rows)[number]) => row.stored.offeredAt !== null
          const shown = rows
            .filter((row) => !isUnderWay(row))
            .map(({ row, toSend }) => [row.id, toSend.units])
          expect(shown).toEqual(shown.map(([id]) => [id, `${whole.accounts.get(id as number)?.due}`]))
          // An offer loads the books of its rows' payers alone.
          for (const { stored } of rows) {
            const { accounts } = await loadAccounts(trail.db, [stored.payer])
            expect(accounts.get(stored.id)?.due).toBe(whole.accounts.get(stored.id)?.due)
          }
        }
      } finally {
        await own.close()
      }
    }),
    { numRuns: seeds, seed: Number(process.env.REFUND_SEED ?? 20) },
  )
})
