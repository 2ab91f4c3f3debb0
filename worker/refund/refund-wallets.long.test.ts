import { eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { updateEvent } from '../../db/event/update.ts'
import { getRefundWallet, registerRefundWallet } from '../../db/refund/refund-wallets.ts'
import { expectWatched } from '../../db/refund/watched.ts'
import { operatorTransfers, operatorWallets, payments } from '../../db/schema/index.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { scan } from '../payment/scan.ts'
import { verifyPayment } from '../payment/verify.ts'
import { watchRefunds } from './watch.ts'

const sale = forEachTest(openSale)
const node = forEachTest(() => hookRpc(sale.chain.url))
const refundWallet = () => sale.chain.buyers[4] as Address

const register = () => sale.db.transaction((tx) => registerRefundWallet(tx, refundWallet()))
const pay = (from: Address, to: Address, cents: number) => sale.chain.submitPayment({ from, to, cents })
const recorded = async () =>
  (await sale.db.select().from(payments)).map(({ wallet, reason, ticketCount }) => [
    wallet,
    reason ?? ticketCount,
  ])

test('what comes to a refund wallet buys nothing and is owed to nobody; what it sends to the raffle buys nothing', async () => {
  const deps = sale.depsOn(sale.chain.url)
  await register()
  const [own] = await sale.db.select().from(operatorWallets).where(eq(operatorWallets.role, 'refund'))
  await sale.chain.rpc('evm_setNextBlockTimestamp', [(own?.ownSince?.getTime() ?? 0) / 1000])
  const [buyer] = sale.chain.buyers
  const funding = await pay(buyer, refundWallet(), 900)
  await pay(refundWallet(), operator, 600)
  await pay(buyer, operator, 300)
  await sale.chain.finalize()
  await scan(deps)
  await verifyPayment(deps, { hashes: [funding] })
  expect(await recorded()).toEqual([
    [operator, 'held'],
    [operator, 1],
  ])
})

test('a refund wallet never sells: no event takes it as its wallet', async () => {
  await register()
  const rules = { terms: { ...parseEnv({}), operatorWallet: operator }, pinnedWallet: undefined }
  const named = updateEvent(sale.db, { operatorWallet: refundWallet() }, rules)
  expect(await codeOf(named)).toBe('INVALID_WALLET')
  await sale.db.transaction((tx) => registerRefundWallet(tx, operator))
  expect(await getRefundWallet(sale.db, operator)).toMatchObject({ role: 'sale' })
})

test('what a refund wallet sent since the first sale start is read before anything is offered', async () => {
  const deps = sale.depsOn(sale.chain.url)
  const [buyer] = sale.chain.buyers
  await pay(refundWallet(), buyer, 300)
  await sale.chain.finalize()
  await watchRefunds(deps)
  await register()
  expect(await getRefundWallet(sale.db, refundWallet())).toEqual({
    ...{ role: 'refund', registerOnly: false, isRead: false },
  })
  expect(await codeOf(expectWatched(sale.db))).toBe('RPC_UNAVAILABLE')
  await watchRefunds(deps)
  expect(await getRefundWallet(sale.db, refundWallet())).toMatchObject({ registerOnly: false, isRead: true })
  expect(await sale.db.select().from(operatorTransfers)).toMatchObject([
    { wallet: refundWallet(), recipient: buyer },
  ])
  expect(await codeOf(expectWatched(sale.db))).toBeUndefined()
})

test('a refund wallet whose past the endpoints have forgotten pays through the register alone', async () => {
  const deps = sale.depsOn(node.url)
  await sale.chain.mine(40)
  await watchRefunds(deps)
  await register()
  const frontier = (await sale.chain.height()) - 15n
  node.hook = ({ method, params }, result) =>
    method === 'eth_getBlockByNumber' && Number(params[0]) < Number(frontier) ? null : result
  await watchRefunds(deps)
  expect(await getRefundWallet(sale.db, refundWallet())).toMatchObject({ registerOnly: false, isRead: false })
  await sale.chain.mine(64)
  await watchRefunds(deps)
  expect(await getRefundWallet(sale.db, refundWallet())).toMatchObject({ registerOnly: true, isRead: true })
  const [own] = await sale.db.select().from(operatorWallets).where(eq(operatorWallets.address, operator))
  expect(own?.registerOnly).toBe(false)
})
