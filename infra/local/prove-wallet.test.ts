import type { Address } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { openFirstEvent } from '../../db/event/environment.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { watchWallet } from '../../e2e/lab/watch-wallet.ts'
import { operatorAccount, proveLocalWallet } from './chain.ts'

async function openEvent(wallet: string) {
  const database = await testDb()
  onTestFinished(() => database.close())
  const { db, url: databaseUrl } = database
  const operatorWallet = wallet.toLowerCase() as Address
  await openFirstEvent(db, { ...parseEnv({}), operatorWallet })
  await watchWallet(db, operatorWallet)
  return {
    db,
    prove: () => proveLocalWallet(databaseUrl),
    isProven: async () => {
      return (await getOpenEvent(db))?.walletProvenAt != null
    },
  }
}

test('the wallet of the local chain is proven at the first start, once', async () => {
  const { prove, isProven } = await openEvent(operatorAccount)
  expect(await isProven()).toBe(false)
  await prove()
  expect(await isProven()).toBe(true)
  await prove()
  expect(await isProven()).toBe(true)
})

test('any other wallet is proven by whoever holds its key', async () => {
  const { prove, isProven } = await openEvent(`0x${'ab'.repeat(20)}`)
  await prove()
  expect(await isProven()).toBe(false)
})
