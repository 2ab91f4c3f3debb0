import type { Address } from 'viem'
import { unitsOf } from '../../../../core/money.ts'
import { releaseRow } from '../../../../db/refund/decisions.ts'
import { noteLost } from '../../../../db/refund/lost.ts'
import { keepOffers } from '../../../../db/refund/reports.ts'
import { loseWallet } from '../../../../db/refund/wallets.ts'
import { transferData, usdt } from '../../../lab/usdt.ts'
import { keepRows, restoreRows } from '../database.ts'
import { comeToDraw } from '../draft-steps.ts'
import type { Broken } from '../invariants.ts'
import { listRefunds, unlessRefused } from '../operator-steps.ts'
import { wallets } from '../simulated-chain.ts'
import type { Stage } from '../stage.ts'
import { scanOnce, sweepOnce } from '../work-steps.ts'
import { openWorld, type World } from '../world.ts'
import { type Desk, drop, forget, offer, reject, rowsOf, sendAgain, sign } from './desk.ts'
import type { RefundStory, Step } from './story.ts'
import { fundWallets, nonceOf, paidIn, paidOut, payingWallets, send, waiveAll } from './wallets.ts'

const backup = 'backup'
/** So many rounds are enough for the calm end: a wallet's turn, a deadline that passes, the other's turn. */
const rounds = 40

/** Plays a story, then one administrator finishes calmly, and says what does not hold. */
export async function playRefunds(
  stage: Stage,
  { endpoints, payments, steps }: RefundStory,
): Promise<Broken[]> {
  const world = await openWorld(stage, endpoints)
  const desk: Desk = { popups: [], signed: [], hasWaived: false }
  try {
    await fundWallets(world)
    for (const payment of payments) await payIn(world, payment)
    await comeToDraw(world, { do: 'come to the draw', drawIn: 120 })
    await keepRows(world.db, backup)
    for (const [index, step] of steps.entries()) {
      await world.pass(1)
      await act(world, desk, step)
      const broken = await overpaid(world)
      if (broken.length > 0)
        return broken.map(({ name, saw }) => ({ name, saw: `after step ${index}: ${saw}` }))
    }
    return await finish(world, desk)
  } finally {
    await world.close()
  }
}

async function payIn(world: World, { buyer, cents }: { buyer: number; cents: number }): Promise<void> {
  await world.submit(world.accounts[buyer] as Address, usdt, transferData(wallets[0], unitsOf(cents)))
  await world.mineBlock()
}

async function act(world: World, desk: Desk, step: Step): Promise<void> {
  switch (step.do) {
    case 'offer':
      return offer(world, desk, step)
    case 'sign':
      return sign(world, desk, step)
    case 'reject':
      return reject(world, desk, step.a)
    case 'forget':
      return forget(desk, step.a)
    case 'drop':
      return drop(world, desk, step.a)
    case 'send again':
      return sendAgain(world, desk, step.a)
    case 'pay late':
      return payIn(world, step)
    case 'by hand':
      return payByHand(world, desk, step)
    case 'mine':
      return mine(world, step.blocks)
    case 'replace':
      await world.ask('anvil_reorg', step.depth, [])
      return
    case 'wait':
      await world.pass(step.seconds)
      return keep(world, desk)
    case 'work':
      return work(world, step.dieAt)
    case 'waive':
      desk.hasWaived = true
      return waiveAll(world, payingWallets[0])
    case 'say the key is lost':
      await world.db.transaction((tx) => loseWallet(tx, payingWallets[0]))
      return
    case 'empty the database':
      await restoreRows(world.db, backup)
      for (const popup of desk.popups) popup.rows = []
  }
}

async function mine(world: World, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await world.pass(1)
    await world.mineBlock()
  }
}

/** The workers, and an administrator who prepares what there is. */
async function work(world: World, dieAt: number | null = null): Promise<void> {
  await scanOnce(world, dieAt)
  for (const kind of ['event', 'leftover'] as const)
    await listRefunds(world, { do: 'list refunds', kind, event: 0 })
  await sweepOnce(world, { runs: [], dieAt })
}

/** Each page that waits for its wallet says so. */
async function keep(world: World, desk: Desk): Promise<void> {
  for (const { rows, call } of desk.popups) {
    const nonce = await nonceOf(world, call.from, 'pending')
    await world.db.transaction((tx) => keepOffers(tx, { rows, nonce }))
  }
}

/**
 * The operator pays somebody by hand, as the desk shows it: what is due, while nothing of that payer is under way, and
 * the wallet has come to rest.
 */
async function payByHand(world: World, desk: Desk, { a, isHalf }: { a: number; isHalf: boolean }) {
  await work(world)
  const [wallet] = payingWallets
  const [pending, latest] = [await nonceOf(world, wallet, 'pending'), await nonceOf(world, wallet, 'latest')]
  const isWaiting = desk.signed.some(({ from, nonce }) => from === wallet && nonce >= latest)
  const free = (await rowsOf(world)).filter(
    ({ stored, toSend }) => !stored.offeredAt && stored.state !== 'settled' && BigInt(toSend.units) > 0n,
  )
  const row = free[a % Math.max(1, free.length)]
  if (!row || isWaiting || pending !== latest) return
  const due = BigInt(row.toSend.units)
  const data = transferData(row.stored.recipient, isHalf ? due / 2n + 1n : due)
  const signed = await send(world, { from: wallet, to: usdt, data, nonce: pending })
  if (signed) desk.signed.push(signed)
  // He waits for the end of it.
  await mine(world, 4)
  await work(world)
  await keep(world, desk)
}

/** I15: nobody has got more than he has paid in, counted from the logs. */
async function overpaid(world: World): Promise<Broken[]> {
  const owed = await paidIn(world)
  const paid = await paidOut(world)
  return [...paid].flatMap(([payer, units]) =>
    units > (owed.get(payer) ?? 0n)
      ? [{ name: 'I15 nobody twice', saw: `${payer} got ${units} of ${owed.get(payer) ?? 0n}` }]
      : [],
  )
}

/**
 * Pages are closed and deadlines pass, then one administrator finishes with the contract. What old popups still ask is
 * approved at the very end.
 */
async function finish(world: World, desk: Desk): Promise<Broken[]> {
  const late: Desk = {
    ...desk,
    popups: desk.popups.filter(({ call }) => call.nonce !== undefined || call.to !== world.mover),
  }
  const calm: Desk = { ...desk, popups: [] }
  await mine(world, 4)
  await work(world)
  for (let round = 0; round < rounds && !(await isDone(world)); round++) {
    await world.pass(40_000)
    await giveUp(world)
    await releaseLost(world)
    for (const wallet of payingWallets) await spendNonce(world, wallet)
    await mine(world, 4)
    await work(world)
    if (desk.hasWaived) await waiveAll(world, payingWallets[0])
    await offer(world, calm, { path: 'register', wallet: round % 2 === 0 ? 0 : 1, a: 0, several: true })
    await sign(world, calm, { a: 0, isHeard: true })
    await mine(world, 4)
    await work(world)
    const broken = await overpaid(world)
    if (broken.length > 0) return broken
  }
  const [owed, paid] = [await paidIn(world), await paidOut(world)]
  const unpaid = [...owed].filter(([payer, units]) => paid.get(payer) !== units)
  const states = (await rowsOf(world)).map(({ row }) => `${row.state} ${row.reason}`)
  if (unpaid.length > 0 || !(await isDone(world)))
    return [{ name: 'I16 everybody at last', saw: `${unpaid.map(([payer]) => payer)}, rows ${states}` }]
  while (late.popups.length > 0) await sign(world, late, { a: 0, isHeard: false })
  await mine(world, 4)
  return overpaid(world)
}

/** An administrator's word, where it is asked for, that nothing of a request will ever be mined. */
async function giveUp(world: World): Promise<void> {
  for (const { row, stored } of await rowsOf(world))
    if (stored.offeredAt) await unlessRefused(() => world.db.transaction((tx) => noteLost(tx, row.id)))
}

/** He knows these payers: none of them has stolen the key of the wallet that they paid to. */
async function releaseLost(world: World): Promise<void> {
  for (const { row, stored } of await rowsOf(world))
    if (stored.hold === 'lost') await world.db.transaction((tx) => releaseRow(tx, row.id))
}

/** An empty transaction takes the place of what an old popup may still send. */
async function spendNonce(world: World, wallet: Address): Promise<void> {
  await send(world, { from: wallet, to: wallet, data: '0x', nonce: await nonceOf(world, wallet, 'latest') })
}

const isDone = async (world: World): Promise<boolean> => {
  const rows = await rowsOf(world)
  return rows.length > 0 && rows.every(({ row }) => row.state === 'settled')
}
