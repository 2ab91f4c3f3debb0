import { type Address, getAddress, type Hex, pad } from 'viem'
import { register } from '../../../core/chain/register.ts'
import { paidTopic } from '../../../core/chain/register-log.ts'
import { encodeApprove, encodePayUpTo } from '../../../core/refund/safe-file.ts'
import { getBook } from '../../../db/event/terms.ts'
import { payableLines } from '../../../db/refund/dues.ts'
import { usdt } from '../../lab/usdt.ts'
import type { Step } from './story.ts'
import { refundMinUnits } from './work-steps.ts'
import type { World } from './world.ts'

/** Somebody pays what the desk lists, or once more what it listed when he was here last. */
export async function refund(world: World, { isOld }: Extract<Step, { do: 'refund' }>): Promise<void> {
  const { db, stranger, clock } = world
  const book = await getBook(db)
  if (!book) return
  if (!isOld) {
    const { lines } = await payableLines(db, { minUnits: refundMinUnits })
    const debts = lines.map(({ payer, total }) => ({ debtor: payer, total }))
    world.signed = encodePayUpTo(book, usdt, debts, clock.chain + 3_600)
  }
  if (!world.signed) return
  await world.submit(stranger, usdt, encodeApprove(register.address, 10n ** 24n))
  await world.submit(stranger, register.address, world.signed)
  await world.mineBlock()
}

/** What the register has paid by this book up to a block, by debtor and from the chain's logs alone. */
export async function paidByRegister({ ask }: World, book: Hex, last: number): Promise<Map<Address, bigint>> {
  type Log = { topics: [Hex, Hex, Hex, Hex]; data: Hex }
  const logs = await ask<Log[]>('eth_getLogs', {
    ...{ fromBlock: '0x0', toBlock: `0x${last.toString(16)}`, address: register.address },
    topics: [paidTopic, pad(book)],
  })
  const paid = new Map<Address, bigint>()
  for (const { topics, data } of logs) {
    const debtor = getAddress(`0x${topics[2].slice(26)}`).toLowerCase() as Address
    const amount = BigInt(`0x${data.slice(2 + 64, 2 + 128)}`)
    paid.set(debtor, (paid.get(debtor) ?? 0n) + amount)
  }
  return paid
}
