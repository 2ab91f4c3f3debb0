import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { usdtOnBsc } from '../../core/server/env.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { readAllowance } from '../../site/src/admin/refund/signing/wallet.ts'
import { agree, panel } from '../lab/admin-verbs.ts'
import { expectTotal, finished, openDeskStory } from '../lab/desk-story.ts'
import { payAll } from '../lab/payers.ts'
import { choosePath, prepare, sign } from '../lab/refund-verbs.ts'
import { backUp } from '../lab/restored.ts'
import { sellToSafe } from '../lab/safe-event.ts'
import { soon } from '../lab/story.ts'
import { transfersBetween } from '../lab/usdt.ts'

/** Of the forty 4 are paid one by one, 16 by the contract, 14 by a Safe, and 6 who pay last one by one again. */
const payerCount = 40
const desk = openDeskStory(payerCount)
const { story, call, inBooks, visitDesk } = desk

const allowance = (wallet: Address = operatorAccount) =>
  readAllowance(
    { request: ({ method, params }) => rpc(desk.rpcUrl, method, params as unknown[]) },
    ...([usdtOnBsc, wallet, register.address] as const),
  )
const noncesUsed = async () =>
  Number(await rpc<Hex>(desk.rpcUrl, 'eth_getTransactionCount', [operatorAccount, 'latest']))

test('I15 I16 R2 forty payers are refunded once: by the contract, a Safe and one by one, with late popups and a restored backup', async () => {
  const [early, safes, late] = [desk.payers.slice(0, 20), desk.payers.slice(20, 34), desk.payers.slice(34)]
  await payAll(desk.rpcUrl, early, (index) => 100 + index)
  await inBooks('leftover', 20)
  const safe = await sellToSafe(call, desk.rpcUrl)
  await payAll(desk.rpcUrl, safes, (index) => 150 + index, safe.address)
  await inBooks('leftover', 34)
  const code = await rpc<Hex>(desk.rpcUrl, 'eth_getCode', [register.address, 'latest'])
  await rpc(desk.rpcUrl, 'anvil_setCode', [register.address, '0x'])

  const visitor = await visitDesk({ picksNonces: true })
  const { page, wallet } = visitor
  await prepare(page)
  await connect(page)
  await panel(page).getByRole('button', { name: '컨트랙트 올리기' }).click()
  await panel(page).getByText('환불 컨트랙트, 2회').waitFor()
  expect(await rpc(desk.rpcUrl, 'eth_getCode', [register.address, 'latest'])).toBe(code)

  await choosePath(page, '한 건씩')
  const fourth = wallet.hold('eth_sendTransaction', 3, 1)
  await sign(page)
  await soon(async () => wallet.sent().length).toBe(5)
  await panel(page).getByRole('button', { name: '일시 중지' }).click()
  fourth()
  await panel(page).getByText('일시 중지했습니다.').waitFor()
  const putBack = await backUp(story.stack)

  // The popup of the contract's call stays open, and its page is gone.
  await choosePath(page, '환불 컨트랙트')
  const approve = wallet.hold('eth_sendTransaction', 1, 1)
  await sign(page)
  await panel(page).getByText('환불 컨트랙트가 한 거래로 보냅니다.').waitFor()
  await soon(async () => wallet.sent().length).toBe(7)
  await panel(page).getByRole('button', { name: '답을 기다리지 않기' }).click()
  await panel(page)
    .getByText(/\d\d:\d\d까지 직접 지급하지 마세요/)
    .waitFor()
  await page.reload()
  await connect(page)
  // So does a second one, which this page hears of when it has long gone on.
  const refuse = wallet.hold('eth_sendTransaction', 0, 1)
  const again = panel(page).getByRole('button', { name: '16건 다시 승인' })
  await again.click()
  await soon(async () => wallet.sent().length).toBe(8)
  await panel(page).getByRole('button', { name: '답을 기다리지 않기' }).click()
  await again.click()
  await finished(page)
  wallet.refuse('eth_sendTransaction')
  refuse()
  await soon(async () => desk.paidBy(operatorAccount)).toBe(20)
  const file = await takeFile(page)
  expect(await panel(page).getByText('지갑에서 거절했습니다.').count()).toBe(0)
  expect(await safe.executeFile(file)).toMatchObject({ ok: true })
  expect(await allowance(safe.address)).toBe(0n)
  await expectTotal(page, '남음', '0.00')

  // The database forgets what the contract and the Safe have paid; the chain does not.
  await desk.restore(putBack, visitor)
  const before = await noncesUsed()
  approve()
  await soon(noncesUsed).toBe(before + 1)
  expect(await safe.executeFile(file, [1, 2])).toMatchObject({ ok: true })
  await expectTotal(page, '남음', '0.00')
  await expectTotal(page, '진행 중', '0.00')

  await payAll(desk.rpcUrl, late, (index) => 200 + index)
  await panel(page).getByText('준비되지 않은 환불이 6건').waitFor()
  await prepare(page, '추가 준비')
  await connect(page)
  // A restored database may not know every call: without the contract nothing goes out until somebody says that it does.
  expect(await panel(page).locator('details:has(fieldset)').getByLabel('한 건씩').isDisabled()).toBe(true)
  await sayHeard(page)
  await choosePath(page, '한 건씩')
  await sign(page)
  await finished(page)
  await desk.expectAllPaid([...early, ...late])
  await desk.expectAllPaid(safes, safe.address)
  expect(await allowance()).toBe(0n)
})

const connect = (page: Page) => panel(page).getByRole('button', { name: '운영자 지갑 연결' }).click()

/** The administrator's word for each wallet that the restored database limits. */
async function sayHeard(page: Page): Promise<void> {
  const limited = panel(page).getByRole('region', { name: '제한된 지갑' })
  const openers = limited.getByRole('button', { name: '넘긴 호출이 없습니다' })
  for (let left = await openers.count(); left > 0; left--) {
    await openers.first().click()
    await limited.getByLabel('무슨 일이 있었는지').fill('백업 뒤의 승인을 모두 확인했습니다')
    await limited.getByRole('button', { name: '모르는 호출이 없다고 기록' }).click()
    await soon(() => openers.count()).toBe(left - 1)
  }
}

/** What the page's card makes for the owners of the Safe. */
async function takeFile(page: Page) {
  await panel(page).getByRole('button', { name: 'Safe 파일 받기' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), agree(page, '파일 받기')])
  expect(download.suggestedFilename()).toBe('refunds-event-1-1-of-1.json')
  return JSON.parse(await readFile(await download.path(), 'utf8'))
}

test('a wallet that batches refunds 40 payers through the contract with one signature', async () => {
  const before = await transfersBetween(desk.rpcUrl, { from: operatorAccount })
  await payAll(desk.rpcUrl, desk.payers, () => 110)
  await inBooks('leftover', 2 * payerCount)
  const { page, wallet } = await visitDesk({ batch: 10 })
  await prepare(page, '추가 준비')
  await connect(page)
  await sign(page)
  await finished(page)
  expect(wallet.requests.filter(({ method }) => method === 'wallet_sendCalls')).toHaveLength(1)
  expect(wallet.sent()).toEqual([])
  expect(await transfersBetween(desk.rpcUrl, { from: operatorAccount })).toHaveLength(
    before.length + payerCount,
  )
  expect(await allowance()).toBe(0n)
})
