import { afterAll, expect, test } from 'vitest'
import type { PublicSolvency } from '../../core/flows/public-money.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { loadSolvency } from '../../db/flows/solvency.ts'
import { closeAll, startApi } from '../lab/api-process.ts'
import { openMoney, told } from '../lab/money.ts'
import { forTest } from '../lab/opened.ts'
import { until } from '../lab/until.ts'
import { startWorkerProcess } from '../lab/worker-process.ts'

afterAll(closeAll)

test('one unit more than the surplus that moves out turns the public answer to short within 3 s of the chain, and the transaction is named', async () => {
  const money = await forTest(openMoney())
  const { chain, db, sale } = money
  const mining = setInterval(() => void chain.mine().catch(() => undefined), 450)
  const worker = await startWorkerProcess({ databaseUrl: sale.databaseUrl, rpcUrls: chain.url })
  const api = await startApi(sale.databaseUrl)
  await api.ready
  const answer = async (): Promise<PublicSolvency> => (await fetch(`${api.url}/api/raffle/solvency`)).json()
  const last = () => `The worker's last lines:\n${worker.tail()}`
  try {
    await until(async () => (await answer()).equation === 'holds', last)
    await money.pay(9_00)
    await until(async () => (await answer()).required === told(9_00), last)
    await money.sendOut(1_000_00)
    await until(async () => (await answer()).cover === '0', last)
    expect((await answer()).state).toBe('covered')
    const hash = await money.sendOut(1)
    await until(async () => (await answer()).state === 'short', last)
    const { lowest, others, ...rest } = await answer()
    expect(lowest).toMatchObject({ cover: `-${told(1)}`, transactionHash: hash })
    expect(others[0]).toMatchObject({ transactionHash: hash, units: told(1) })
    const receipt = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [hash])
    // Blocks come every 0.45 s: those from the transfer to the newest when it was told.
    expect((rest.block?.number ?? 0) - Number(receipt.blockNumber)).toBeLessThanOrEqual(7)
    const event = await getOpenEvent(db)
    expect(event && (await loadSolvency(db, event)).state).toBe('short')
  } finally {
    clearInterval(mining)
    await worker.kill()
  }
})
