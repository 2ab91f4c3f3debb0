import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { parseEnv } from '../../core/server/env.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { getWatchCursor } from '../../db/refund/watch.ts'
import { expectWatched } from '../../db/refund/watched.ts'
import { operatorTransfers, payments } from '../../db/schema/index.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { mintData, transferData, usdt } from '../../e2e/lab/usdt.ts'
import usdtContract from '../../infra/contracts/usdt.json' with { type: 'json' }
import { scan } from '../payment/scan.ts'
import { watchRefunds } from './watch.ts'

const sale = forEachTest(openSale)

/** Another token, of which the operator holds some. */
async function otherToken(): Promise<Address> {
  const to = '0x00000000000000000000000000000000000070cE'
  await sale.chain.rpc('anvil_setCode', [to, usdtContract.deployedBytecode])
  await sale.chain.submit({ from: operator, to, data: mintData(operator, unitsOf(50_00)) })
  await sale.chain.mine()
  return to
}
/** The next start has another token in its environment. */
const startWith = (usdtAddress: Address) =>
  prepareDatabase({
    databaseUrl: sale.databaseUrl,
    env: { ...parseEnv({}), usdtAddress },
    operatorWallet: operator,
  })
const sent = async () =>
  (await sale.db.select().from(operatorTransfers)).map(({ token, units }) => [token, units])

test('what a wallet has sent in a token that comes later is read apart, and offers wait for it', async () => {
  const token = await otherToken()
  const to = sale.chain.buyers[0]
  await sale.chain.submit({ from: operator, to: token, data: transferData(to, unitsOf(7_00)) })
  await sale.chain.finalize()
  await watchRefunds(sale.deps)
  const before = await getWatchCursor(sale.db)
  await startWith(token)
  expect(await codeOf(expectWatched(sale.db))).toBe('RPC_UNAVAILABLE')
  expect(await getWatchCursor(sale.db)).toEqual(before)
  await watchRefunds(sale.deps)
  expect(await sent()).toEqual([[token.toLowerCase(), unitsOf(7_00)]])
  expect(await codeOf(expectWatched(sale.db))).toBeUndefined()
})

test('a token that the event has no more is still watched while payments in it are on record', async () => {
  const token = await otherToken()
  const [buyer] = sale.chain.buyers
  await sale.chain.submitPayment({ from: buyer, cents: 2_00 })
  await sale.chain.finalize()
  await scan(sale.deps)
  await sale.startSaleAt(Math.floor(Date.now() / 1000) - 3 * 86_400)
  await startWith(token)
  expect(await sale.db.select().from(payments)).toMatchObject([{ token: usdt, units: unitsOf(2_00) }])
  await sale.chain.submit({ from: operator, to: usdt, data: transferData(buyer, unitsOf(2_00)) })
  await sale.chain.finalize()
  await watchRefunds(sale.deps)
  expect(await sent()).toEqual([[usdt, unitsOf(2_00)]])
})
