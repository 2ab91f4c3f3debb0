import excel from 'exceljs'
import type { Page } from 'playwright-core'
import { type Address, getAddress, type Hash, toHex } from 'viem'
import { expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { unitsOf } from '../../core/money.ts'
import { usdtOnBsc } from '../../core/server/env.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { agree, panel } from '../lab/admin-verbs.ts'
import { expectTotal, finished, openDeskStory, total } from '../lab/desk-story.ts'
import { fund, handOut, payAll, payerCount, sumsOf } from '../lab/payers.ts'
import { choosePath, connectOperator, prepare, reload, sign } from '../lab/refund-verbs.ts'
import { soon } from '../lab/story.ts'
import { connectWallet, goTo } from '../lab/verbs.ts'

const desk = openDeskStory(payerCount)
const { story, call, visitDesk, inBooks, expectAllPaid } = desk

const underpay = (from: number): Promise<Hash[]> => payAll(desk.rpcUrl, desk.payers, (index) => from + index)

test('R2 I15 in batches of the wallet: after a lost answer and a reload twelve payers are paid once', async () => {
  await underpay(100)
  await inBooks('leftover', payerCount)
  const { page, wallet } = await visitDesk({ batch: 10 })
  await prepare(page)
  await connectOperator(page)
  await choosePath(page, '지갑 묶음')
  const lost = wallet.loseAnswer()
  await sign(page)
  await lost
  await reload(page)
  await choosePath(page, '지갑 묶음')
  // The ten that may have been sent cannot be signed now.
  await panel(page).getByRole('button', { name: '이어서 2건 지갑에서 승인' }).waitFor()
  await sign(page)
  await finished(page)
  const batches = wallet.requests.filter(({ method }) => method === 'wallet_sendCalls')
  const sizes = batches.map(({ params }) => (params as [{ calls: [] }])[0].calls.length)
  expect(sizes).toEqual([10, 2])
  await expectTotal(page, '완료', '12.66')
  expect(await total(page, '남음')).toBe('0.00')
  await expectAllPaid()
})

test('R1 R4 by the contract: a rejection sends nothing, a second window waits, a lost call is found on chain', async () => {
  await underpay(120)
  await inBooks('leftover', 2 * payerCount)
  const admin = await visitDesk()
  const { page, wallet } = admin
  await prepare(page, '추가 준비')
  await connectOperator(page)
  wallet.refuse('eth_sendTransaction')
  await sign(page)
  await panel(page).getByText('지갑에서 거절했습니다.').waitFor()
  await expectTotal(page, '진행 중', '0.00')
  const answer = wallet.hold('eth_sendTransaction')
  await sign(page)
  await panel(page).getByText('지갑에서 12건을 승인하세요. 주소와').waitFor()

  const other = await story.reopen(admin, '/admin#refund')
  await panel(other).getByText('까지 직접 지급하지 마세요.').waitFor()
  await connectOperator(other)
  await panel(other).getByText('지금 승인할 환불이 없습니다.').waitFor()

  const lost = wallet.loseAnswer(1)
  answer()
  await lost
  await reload(page)
  await expectTotal(page, '완료', '27.72')
  await expectTotal(other, '완료', '27.72')
  const [refused, allowance, payment] = wallet.sent()
  expect([refused?.data, allowance?.to]).toEqual([allowance?.data, usdtOnBsc])
  expect([payment?.to, wallet.sent().length]).toEqual([register.address, 3])
  await expectAllPaid()
})

test('R2 R4 one by one: pause, reload, lost answers, a rejection and a killed worker lose no money', async () => {
  const [bought] = await payAll(desk.rpcUrl, desk.payers, (index) => 300 * (index + 1))
  await inBooks('event', payerCount)
  const { page, wallet } = await visitDesk()
  await desk.reachRefundMode()
  await panel(page).getByText('환불 모드입니다.').waitFor()
  await tellEveryone(page)
  await prepare(page)
  await connectOperator(page)
  await choosePath(page, '한 건씩')
  const sent = () => wallet.sent().length
  const lost = wallet.loseAnswer(2)
  await sign(page)
  await lost
  await reload(page)
  await choosePath(page, '한 건씩')

  const answer = wallet.hold('eth_sendTransaction', 1)
  await sign(page)
  await soon(async () => sent()).toBe(5)
  await panel(page).getByRole('button', { name: '일시 중지' }).click()
  answer()
  await panel(page).getByText('일시 중지했습니다.').waitFor()
  await story.stack.worker.kill()
  wallet.refuse('eth_sendTransaction')
  await sign(page)
  // Until a worker has seen what was sent it is not known to be ours, and nothing else goes out.
  await story.stack.worker.start()
  await panel(page).getByText('지갑에서 거절했습니다.').waitFor({ timeout: 60_000 })
  // The wallet does not answer and the page stays open: it continues once the row is paid on chain.
  const swallowed = wallet.loseAnswer()
  await sign(page)
  await swallowed
  await finished(page)

  expect(sent()).toBe(payerCount + 1)
  for (const { from, to, gas } of wallet.sent())
    expect([from, to, gas]).toEqual([operatorAccount, usdtOnBsc, '0x15f90'])
  await expectTotal(page, '완료', '234.00')
  await expectAllPaid()
  await readRecords(page)
  await seeOwnRefund(bought as Hash)
})

/** Turns the notice of the public page on and off again. */
async function tellEveryone(page: Page): Promise<void> {
  const isShown = soon(async () => (await call('GET', '/api/raffle/draw-status')).body.refundNotice)
  for (const [word, shown] of [
    ['공지 켜기', true],
    ['공지 끄기', false],
  ] as const) {
    await panel(page).getByRole('button', { name: word }).click()
    await agree(page, word)
    await isShown.toBe(shown)
  }
}

/** The list of recipients holds each payer's three refunds, the history each batch. */
async function readRecords(page: Page): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel(page).getByRole('button', { name: '환불 대상 목록 받기' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('refund-event-1-환불대상.xlsx')
  const book = new excel.Workbook()
  await book.xlsx.readFile(await download.path())
  const rows = book.worksheets[0]?.getRows(2, 3 * payerCount) ?? []
  expect(rows.map((row) => row.getCell(6).value)).toEqual(Array(3 * payerCount).fill('완료'))
  const batches = panel(page).getByRole('table', { name: '환불 기록' }).getByRole('row')
  await soon(() => batches.filter({ hasText: '완료' }).count()).toBe(3)
}

test('R5 manual decisions: dust, a transfer that was no refund, another address by the payer’s signature', async () => {
  const url = desk.rpcUrl
  const [payer, tiny, other, elsewhere] = await Promise.all(
    ([4, 5, 6, 7] as const).map((index) => story.account(index)),
  )
  if (!payer || !tiny || !other || !elsewhere) throw new Error('anvil has too few accounts')
  const { page } = await visitDesk()
  await payAll(url, [payer, tiny, other], (index) => [500, 5, 100][index] ?? 0)
  await inBooks('event', payerCount + 3)
  // More than is owed to this address: the refund page cannot know its purpose.
  await handOut(url, other, 504)
  const transfers = panel(page).getByRole('table', { name: '환불인지 모르는 전송' })
  await transfers.getByText('환불에서 뺌').waitFor()
  const rowOf = (address: Address) =>
    panel(page).locator('li[data-row]', { has: page.getByTitle(getAddress(address)) })
  await rowOf(other).getByText('확인 필요').waitFor()
  await transfers.getByRole('button', { name: '환불 아님으로' }).click()
  await transfers.getByText('환불 아님', { exact: true }).waitFor()
  await rowOf(other).getByText('예정').waitFor()
  await rowOf(tiny).getByText('보류, 소액').waitFor()
  await panel(page).getByRole('button', { name: '소액 모두 포함' }).click()
  await agree(page, '모두 포함')
  await rowOf(tiny).getByText('예정').waitFor()

  await rowOf(payer).getByRole('button', { expanded: false }).click()
  await panel(page).getByRole('button', { name: '다른 주소로 환불' }).click()
  const form = panel(page).getByRole('form', { name: '다른 주소로 환불' })
  await form.getByLabel('새로 받을 주소').fill(elsewhere)
  const text = await form.locator('pre').innerText()
  const signed = (by: Address) => rpc<string>(url, 'personal_sign', [toHex(text), by])
  await form.getByLabel('받은 서명').fill(await signed(elsewhere))
  await form.getByRole('button', { name: '서명 확인 후 변경' }).click()
  await form.getByText(/결제한 지갑의 서명이 아닙니다/).waitFor({ timeout: 60_000 })
  await form.getByLabel('받은 서명').fill(await signed(payer))
  await form.getByRole('button', { name: '서명 확인 후 변경' }).click()
  await rowOf(elsewhere).getByText('주소 변경').waitFor()

  await connectOperator(page)
  await panel(page).getByText('USDT가 5.04 모자랍니다.').waitFor()
  await fund(url, 504)
  await page.reload()
  await connectOperator(page)
  await sign(page)
  await finished(page)
  const sums = await sumsOf(url, [elsewhere, payer, tiny, other])
  expect(sums.map(({ paidOut }) => paidOut)).toEqual([500, 0, 5, 604].map(unitsOf))
})

/** The first payer checks the refund: with the connected wallet, and by the hash of the payment. */
async function seeOwnRefund(hash: Hash): Promise<void> {
  const { page } = await story.visit({ account: 1 })
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  const mine = page.getByRole('region', { name: 'My tickets' })
  await mine.getByText('Refunded').first().waitFor()
  expect(await mine.getByText('Refunded').count()).toBe(3)
  const row = mine.getByRole('listitem').filter({ hasText: '#1' })
  const { body } = await call('GET', `/api/tickets/purchase/${hash}`)
  const { refund } = body.payments[0]
  expect(refund).toMatchObject({ state: 'settled', amount: 300 })
  await row.locator(`a[href$="/tx/${refund.transactionHash}"]`).waitFor()
  await goTo(page, 'Recent Purchases')
  await page.getByLabel('Transaction hash').fill(hash)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.locator('[data-answer]').getByText('Refunded').waitFor()
}
