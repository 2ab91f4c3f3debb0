import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { unitsOf } from '../../core/money.ts'
import { reckonPlace } from '../../db/flows/place.ts'
import { loadSolvency } from '../../db/flows/solvency.ts'
import { solvency } from '../../db/schema/index.ts'
import { revertTo } from '../../e2e/lab/chain-verbs.ts'
import { openMoney, told } from '../../e2e/lab/money.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { rpc } from '../../infra/local/rpc.ts'
import type { Deps } from '../deps.ts'
import { scan } from '../payment/scan.ts'
import { watchRefunds } from '../refund/watch.ts'
import { reckon } from './reckon.ts'

const money = forEachTest(openMoney)
const refundMinUnits = unitsOf(10n)

/** Deps whose chain tells balances, and then lets something happen before the answer is used. */
const meanwhile = (act: () => Promise<void>): Deps => {
  const { deps } = money.sale
  const tokenBalances: Deps['chain']['tokenBalances'] = async (asked) => {
    const balances = await deps.chain.tokenBalances(asked)
    await act()
    return balances
  }
  return { ...deps, chain: { ...deps.chain, tokenBalances } }
}
const readAgain = async () => {
  await scan(money.sale.deps)
  await watchRefunds(money.sale.deps)
}

test('blocks that are replaced and read again between the balances and their sum publish nothing of either', async () => {
  await money.settle()
  const { url } = money.chain
  const snapshot = await rpc<string>(url, 'evm_snapshot')
  await money.pay(9_00)
  await money.chain.finalize()
  await readAgain()
  const before = await money.now()
  await money.minuteLater()
  const deps = meanwhile(async () => {
    await revertTo(url, snapshot)
    await money.pay(6_00, { from: money.chain.buyers[1] as Address })
    await money.chain.finalize()
    await money.chain.finalize()
    await readAgain()
  })
  await reckon({ ...deps, refundMinUnits })
  expect(await money.now()).toEqual(before)
  // No later block is needed: the next run tells it.
  await reckon({ ...money.sale.deps, refundMinUnits })
  expect(await money.now()).toMatchObject({
    ...{ owed: { credited: told(6_00) }, required: told(6_00), state: 'covered', equation: 'holds' },
  })
})

test('a cursor that went back, and a payment found in an older block, keep what was reckoned before from being told', async () => {
  await money.settle()
  for (const change of [
    sql`update scan_cursor set height = height - 1`,
    sql`update refund_watch set height = height - 1`,
    sql`update scan_cursor set hash = 'another'`,
    sql`insert into payments select (json_populate_record(p, json_build_object('id', nextval('payments_id_seq'), 'transaction_hash',
      '0x' || repeat('12', 32), 'reason', 'underpaid', 'status', 'rejected', 'ticket_number', null, 'ticket_count', 0))).* from payments p limit 1`,
  ]) {
    await money.pay(3_00)
    await money.chain.finalize()
    await readAgain()
    await money.minuteLater()
    const before = await money.now()
    const kept = (
      await money.db.execute(
        sql`select s.height as s, s.hash, w.height as w from scan_cursor s, refund_watch w`,
      )
    )[0]
    await reckon({ ...meanwhile(async () => void (await money.db.execute(change))), refundMinUnits })
    expect(await money.now()).toEqual(before)
    await money.db.execute(sql`update scan_cursor set height = ${kept?.s}::bigint, hash = ${kept?.hash}`)
    await money.db.execute(sql`update refund_watch set height = ${kept?.w}::bigint`)
    await reckon({ ...money.sale.deps, refundMinUnits })
    expect((await money.now()).block?.number).toBe(Number(kept?.s))
  }
})

test('while nobody tells balances a doubt asks for them after 5 s, then 10, then 20, and never more seldom than once a minute', async () => {
  await money.settle()
  await money.db.execute(sql`update wallet_openings set difference = 1`)
  let asked = 0
  const { deps } = money.sale
  const silent = async () => {
    asked += 1
    throw new RaffleError('RPC_UNAVAILABLE', 'No endpoint answers.')
  }
  const run = async () => {
    const before = asked
    await money.chain.mine()
    await money.chain.finalize()
    await readAgain()
    await reckon({ ...deps, chain: { ...deps.chain, tokenBalances: silent }, refundMinUnits })
    return asked - before
  }
  const ago = (seconds: number) =>
    money.db.update(solvency).set({ askedAt: sql`now() - ${`${seconds} seconds`}::interval` })
  expect(await run()).toBe(1)
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    await ago(seconds - 2)
    expect([seconds, await run()]).toEqual([seconds, 0])
    await ago(seconds)
    expect([seconds, await run()]).toEqual([seconds, 1])
  }
  // Told once, everything is as before: a doubt asks at once.
  await ago(60)
  await reckon({ ...deps, refundMinUnits })
  await money.chain.mine()
  await money.settle()
  await money.db.execute(sql`update wallet_openings set difference = 1`)
  expect(await run()).toBe(1)
  expect(await loadSolvency(money.db, { number: 1, token: money.chain.buyers[0] as Address })).toMatchObject({
    equation: 'unknown',
  })
  expect(await reckonPlace(money.db)).toBeUndefined()
})
