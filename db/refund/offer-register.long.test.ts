import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { noteEntry } from '../../e2e/lab/register-facts.ts'
import { releaseRow, wishOf } from './decisions.ts'
import { offerByRegister } from './offer-register.ts'
import { offerRefunds } from './offers.ts'
import { reconcile } from './reconcile.ts'
import { noteRejected, noteSent } from './reports.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const second = `0x${'2f'.repeat(20)}` as const
const elsewhere = `0x${'e1'.repeat(20)}` as const

beforeEach(async () => {
  await trail.watchToo(second)
  await trail.pay(alice, 200)
  await trail.pay(bob, 100)
  await trail.pay(alice, 50, second)
  await trail.prepare('leftover')
})

const idOf = async (payer: string) =>
  (await trail.rows()).find(({ stored }) => stored.payer === payer)?.row.id as number
const ids = async () => (await trail.rows()).map(({ row }) => row.id)
const stored = async (payer: string) =>
  (await trail.rows()).find((row) => row.stored.payer === payer)?.stored as NonNullable<
    Awaited<ReturnType<RefundTrail['rows']>>[number]
  >['stored']
const codeOf = ({ code }: { code: string }) => code

/** What the call would newly pay, or the code of the refusal. */
const call = async (wallet: Address = operator, only?: number[], validFor = 3_600) => {
  const asked = { ids: only ?? (await ids()), wallet, nonce: 0, transactions: 2, validFor }
  return trail.db.transaction((tx) => offerByRegister(tx, asked))
}
const cents = (units: string | undefined) => Number(BigInt(units ?? 0) / unitsOf(1))
const paysBy = async (wallet: Address = operator, only?: number[]) =>
  call(wallet, only).then(
    ({ register: answer }) =>
      answer?.debtors.map(({ debtor, units, total }) => [debtor.toLowerCase(), cents(units), cents(total)]) ??
      [],
    codeOf,
  )
const transfers = async (wallet: Address, only?: number[]) => {
  const asked = { ids: only ?? (await ids()), wallet, nonce: 0, transactions: 2 }
  return trail.db
    .transaction((tx) => offerRefunds(tx, asked))
    .then((rows) => rows.map(({ to, units }) => [to.toLowerCase(), cents(units)]), codeOf)
}
const note = (kind: 'paid' | 'waived', debtor: Address, amount: number, wallet: Address = operator) =>
  noteEntry(trail.db, kind, { wallet, debtor, cents: amount, token: trail.event.token })
const lose = (wallet: Address) =>
  trail.db.execute(sql`update operator_wallets set lost_at = now() where address = ${wallet}`)

describe('by wallet', () => {
  test('a wallet is offered only what it owes, and a part of a row as that part', async () => {
    expect(await transfers(operator)).toEqual([
      [alice, 200],
      [bob, 100],
    ])
    expect((await stored(alice)).offeredUnits).toBe(unitsOf(200))
  })

  test('a wallet that owes nothing is offered nothing', async () => {
    expect(await transfers(second, [await idOf(bob)])).toEqual([])
    expect(await paysBy(second, [await idOf(bob)])).toEqual([])
  })

  test('a call of the register names each debtor once, ascending, with what its wallet owes in all', async () => {
    const { register: answer, rows } = await call()
    expect(answer).toMatchObject({ address: register.address, debtors: [{}, {}] })
    expect(answer?.token.toLowerCase()).toBe(trail.event.token)
    expect(await paysBy()).toEqual([
      [alice, 200, 200],
      [bob, 100, 100],
    ])
    expect(rows.map(({ units }) => cents(units))).toEqual([200, 100])
    expect(await stored(alice)).toMatchObject({
      ...{ state: 'offered', offeredPath: 'register', offeredTotal: unitsOf(200) },
      nonceBound: null,
    })
  })

  test('a total names what this wallet has paid by the register before', async () => {
    await trail.pay(alice, 30)
    await trail.prepare('leftover')
    await note('paid', alice, 200)
    expect(await paysBy()).toEqual([
      [alice, 30, 230],
      [bob, 100, 100],
    ])
  })

  test('every open row of a debtor with the same payee is in the call, asked for or not', async () => {
    await trail.pay(alice, 30)
    await trail.prepare('leftover')
    const { rows } = await call(operator, [await idOf(alice)])
    expect(rows.map(({ units }) => cents(units))).toEqual([200, 30])
    expect(await paysBy(operator, [await idOf(alice)])).toEqual([[alice, 230, 230]])
  })

  test('rows of a debtor that go elsewhere are not in the call, nor in its total', async () => {
    await trail.pay(alice, 30)
    await trail.prepare('leftover')
    const [, , later] = await ids()
    await trail.db.execute(sql`update refund_rows set recipient = ${elsewhere} where id = ${later}`)
    expect(await paysBy()).toEqual([
      [alice, 200, 200],
      [bob, 100, 100],
    ])
  })

  test('a held or unchecked row is in no call and in no total', async () => {
    await trail.pay(alice, 30)
    await trail.prepare('leftover')
    const [, , later] = await ids()
    await trail.db.execute(sql`update refund_rows set hold = 'contract' where id = ${later}`)
    expect(await paysBy()).toEqual([
      [alice, 200, 200],
      [bob, 100, 100],
    ])
    await trail.db.execute(sql`update refund_rows set hold = null, checked_at = null where id = ${later}`)
    expect(await paysBy()).toEqual([
      [alice, 200, 200],
      [bob, 100, 100],
    ])
  })
})

describe('in flight through the register', () => {
  const inHours = async (hours: number) => {
    const [row] = await trail.db.execute<{ at: string }>(
      sql`select extract(epoch from clock_timestamp())::bigint + ${hours * 3_600} as at`,
    )
    return Number(row?.at)
  }

  test('the same call may be asked for again at once, and is valid as long as the longest', async () => {
    const first = (await call(operator, undefined, 604_800)).register
    expect(Math.abs((first?.validUntil ?? 0) - (await inHours(168)))).toBeLessThan(60)
    const again = (await call()).register
    expect(again).toEqual(first)
  })

  test('validity counts from the newest block, if its time is ahead of the clock', async () => {
    await trail.db.execute(sql`update scan_cursor set newest_block_time = now() + interval '2 hours'`)
    const { register: answer } = await call()
    expect(Math.abs((answer?.validUntil ?? 0) - (await inHours(3)))).toBeLessThan(60)
  })

  test('no other path, wallet or payee is offered until it is decided', async () => {
    await call()
    expect(await transfers(operator)).toEqual([])
    expect(await transfers(second)).toEqual([])
    expect(await paysBy(second)).toEqual([])
    await trail.pay(alice, 30)
    await trail.prepare('leftover')
    const [, , later] = (await ids()) as [number, number, number]
    await trail.db.execute(sql`update refund_rows set recipient = ${elsewhere} where id = ${later}`)
    expect(await paysBy(operator, [later])).toEqual([])
    await trail.db.execute(sql`update refund_rows set recipient = payer`)
    expect(await paysBy(operator, [later])).toEqual([[alice, 230, 230]])
  })

  test('what is handed out as a transfer is not offered through the register', async () => {
    expect(await transfers(operator, [await idOf(alice)])).toEqual([[alice, 200]])
    expect(await paysBy()).toEqual([[bob, 100, 100]])
    expect(await paysBy(second)).toEqual([])
  })

  test('a rejection frees its rows at once, but not while another call for them may be out', async () => {
    const claimsOf = ({ rows }: Awaited<ReturnType<typeof call>>) =>
      rows.map(({ id, revision }) => ({ id, revision }))
    const first = claimsOf(await call())
    await trail.db.transaction((tx) => noteRejected(tx, first))
    expect((await stored(alice)).offeredAt).toBeNull()

    await call()
    const late = claimsOf(await call())
    for (const _ of [1, 2]) await trail.db.transaction((tx) => noteRejected(tx, late))
    expect(await transfers(operator)).toEqual([])
    expect((await stored(alice)).offeredAt).not.toBeNull()
  })

  test('a hash that was reported keeps no other call from being asked for, and is no word of both', async () => {
    await call()
    await trail.db.transaction(async (tx) => noteSent(tx, await ids(), `0x${'5e'.repeat(32)}`))
    expect(await stored(alice)).toMatchObject({ state: 'sent', nonceBound: null })
    expect(await paysBy()).toEqual([
      [alice, 200, 200],
      [bob, 100, 100],
    ])
    expect(await stored(alice)).toMatchObject({ state: 'offered', transactionHash: null, offeredCalls: 2 })
  })
})

test('what is released is paid, also where a later row was paid in the meantime', async () => {
  const id = await idOf(bob)
  await trail.db.execute(sql`update refund_rows set hold = 'contract' where id = ${id}`)
  await trail.pay(bob, 25)
  await trail.prepare('leftover')
  await note('paid', bob, 25)
  await trail.db.transaction((tx) => reconcile(tx, [bob]))
  await trail.db.transaction((tx) => releaseRow(tx, id))
  expect(await paysBy()).toEqual([
    [alice, 200, 200],
    [bob, 100, 125],
  ])
})

describe('another wallet', () => {
  test('takes over what the first has waived, once that is final', async () => {
    expect(await paysBy(second)).toEqual([[alice, 50, 50]])
    await trail.db.execute(sql`update refund_rows set state = 'planned', offered_at = null`)
    await note('waived', alice, 200)
    expect(await paysBy(second)).toEqual([[alice, 250, 250]])
    expect(
      await trail.db.execute(sql`select distinct paid_by from refund_row_payments where paid_by is not null`),
    ).toEqual([{ paid_by: second }])
  })

  test('takes over nothing where the waiver does not cover all that is due', async () => {
    await note('waived', bob, 99)
    expect(await paysBy(second, [await idOf(bob)])).toEqual([])
    expect(await transfers(second, [await idOf(bob)])).toEqual([])
    await note('waived', bob, 1)
    expect(await transfers(second, [await idOf(bob)])).toEqual([[bob, 100]])
  })

  test('takes over what a wallet owes whose key is lost, and that one is offered nothing', async () => {
    await lose(operator)
    expect(await transfers(operator)).toBe('INVALID_VALUE')
    expect(await paysBy()).toBe('INVALID_VALUE')
    expect(await paysBy(second)).toEqual([
      [alice, 250, 250],
      [bob, 100, 100],
    ])
  })

  test('takes over nothing while the first may still pay it', async () => {
    expect(await paysBy(operator, [await idOf(bob)])).toEqual([[bob, 100, 100]])
    await lose(operator)
    expect(await paysBy(second)).toEqual([[alice, 250, 250]])
  })

  test('pays the rest where the first had paid a part', async () => {
    await note('paid', bob, 40)
    await note('waived', bob, 60)
    expect(await paysBy(second, [await idOf(bob)])).toEqual([[bob, 60, 60]])
  })

  test('leaves what is owed anew to the first, which the register still pays', async () => {
    await note('paid', bob, 40)
    await note('waived', bob, 60)
    await paysBy(second, [await idOf(bob)])
    await note('paid', bob, 60, second)
    await trail.db.transaction((tx) => reconcile(tx, [bob]))
    await trail.db.execute(sql`update refund_rows set offered_at = null`)
    // Behind the blocks of `note`.
    trail.height = 2_000
    await trail.pay(bob, 25)
    await trail.prepare('leftover')
    expect(await paysBy()).toEqual([
      [alice, 200, 200],
      [bob, 25, 125],
    ])
  })

  test('what a wallet has waived it is not offered through the register, as that would pay nothing', async () => {
    await note('waived', bob, 100)
    expect(await paysBy(operator, [await idOf(bob)])).toEqual([])
  })
})

describe('never offered', () => {
  test('a row whose payee is a wallet of ours, the token, the register or nobody', async () => {
    const payees = [operator, trail.event.token, register.address.toLowerCase(), `0x${'0'.repeat(40)}`]
    for (const payee of payees) {
      await trail.db.execute(sql`update refund_rows set recipient = ${payee}`)
      expect([payee, await paysBy()]).toEqual([payee, []])
      expect([payee, await transfers(operator)]).toEqual([payee, []])
    }
  })

  test('to an address that a payer names and that is the token, the register, nobody or a wallet of ours', async () => {
    const id = await idOf(bob)
    const register20 = register.address.toLowerCase() as Address
    for (const recipient of [second, trail.event.token, register20, `0x${'0'.repeat(40)}`] as const)
      await expect(wishOf(trail.db, id, recipient)).rejects.toMatchObject({ code: 'INVALID_VALUE' })
    expect((await wishOf(trail.db, id, elsewhere)).recipient).toBe(elsewhere)
  })

  test('a row of a debtor for whom the register remembers more than these books', async () => {
    await note('paid', bob, 100)
    await trail.db.execute(sql`delete from operator_transfers`)
    expect(await paysBy()).toEqual([[alice, 200, 200]])
    expect(await transfers(operator, [await idOf(bob)])).toEqual([])
  })

  test('anything but the register to a wallet whose past cannot be read', async () => {
    await trail.db.execute(sql`update operator_wallets set register_only = true where address = ${second}`)
    expect(await transfers(second)).toBe('INVALID_VALUE')
    expect(await paysBy(second)).toEqual([[alice, 50, 50]])
  })
})
