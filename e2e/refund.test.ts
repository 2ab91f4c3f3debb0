import type { Page } from 'playwright-core'
import { type Address, decodeFunctionData, erc20Abi, type Hash, type Hex, parseUnits } from 'viem'
import { expect, test } from 'vitest'
import { register, registerAbi } from '../core/chain/register.ts'
import { usdt as money } from '../core/money.ts'
import { openAdminStory } from './lab/admin-story.ts'
import { agree, arrive, panel, tabFilled } from './lab/admin-verbs.ts'
import { newestTime } from './lab/chain-verbs.ts'
import { openPayers, payAll, sumsOf } from './lab/refunds.ts'
import { soon } from './lab/story.ts'
import { usdt } from './lab/usdt.ts'
import { connectWallet, goTo, wordsOf } from './lab/verbs.ts'

const minimum = 100
const cents = (index: number) => 300 * (index + 1)

const { story, call, get, event, selling, patch, saleBegun, endSale, atDashboard } = openAdminStory()

test('a missed minimum is told to everybody and paid back by any wallet in calls of two, through a reload and an old popup, and nobody twice', async () => {
  const number = await selling({ untouched: true })
  await patch({ minTicketsForDraw: minimum })
  const { url } = story.stack.chain
  const [known, from] = [await story.account(4), await story.account(5)]
  const payers = [known, ...(await openPayers(url, await story.account(3), 3))]
  // Set before the first ticket, which locks it.
  await endSale(26_000)
  await saleBegun()
  const [bought] = await payAll(url, payers, cents)
  await soon(async () => (await event()).ticketsSold).toBe(10)
  const { page: visitor } = await story.visit({ path: '/#winner', withWallet: false })
  await expect
    .poll(() => visitor.locator('#winner-title').innerText(), { timeout: 120_000 })
    .toBe('Refund Announcement!')
  await visitor.locator('#winner [role=status]').getByRole('heading', { name: 'Refund Notice' }).waitFor()

  const { page, wallet } = await atDashboard('refund', 1280, { withWallet: true, account: 5 })
  await openNotice(page, visitor)
  await connect(page, number)
  await expectTotal(page, '돌려준 금액 (USDT)', await paidSoFar())

  // The first call's answer is lost, and the popup of the second stays open while the page is reloaded.
  const lost = wallet.loseAnswer(1)
  const approvePopup = wallet.hold('eth_sendTransaction', 2, 1)
  await sign(page, 4)
  await lost
  await soon(async () => wallet.sent().length).toBe(3)
  await soon(async () => lineStates(number)).toEqual(['due', 'due', 'settled', 'settled'])
  await page.reload()
  await arrive(page)
  await connect(page, number)
  await sign(page, 2)
  await panel(page).getByText('보낼 수 있는 환불을 모두 보냈습니다').waitFor()
  approvePopup()
  await soon(async () => lineStates(number)).toEqual(['settled', 'settled', 'settled', 'settled'])
  await soon(async () =>
    (await sumsOf(url, payers, from)).every(({ paidIn, paidOut }) => paidIn === paidOut),
  ).toBe(true)

  const book: Hex = (await get('/api/raffle/config')).book
  await expectCalls(wallet.sent(), { book, payers, now: await newestTime(url) })
  await expectTotal(page, '남은 금액 (USDT)', '0.00')
  await panel(page).getByText('이벤트별 환불 기록').first().click()
  const record = panel(page)
    .getByRole('table', { name: '이벤트별 환불 기록' })
    .getByRole('row', { name: `이벤트 ${number}` })
  await record.getByText('4 / 4').waitFor()
  await seeOwnRefund(bought as Hash)
})

async function lineStates(number: number): Promise<string[]> {
  const rows: { state: string }[] = (await call('GET', `/api/admin/refunds?event=${number}`)).body
  return rows.map(({ state }) => state).sort()
}
const paidSoFar = async (): Promise<string> => {
  const { paid } = (await call('GET', '/api/admin/refunds/summary')).body
  return `${(Number(BigInt(paid) / 10n ** 16n) / 100).toFixed(2)}`
}

/** The first payer finds the refund with the connected wallet, and by the hash of the payment. */
async function seeOwnRefund(hash: Hash): Promise<void> {
  const { page } = await story.visit({ account: 4 })
  const { refunds } = wordsOf(page).t
  const said = refunds.paid.replace('{amount}', money(cents(0)))
  await page.getByRole('button', { name: 'Close' }).click()
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  await page.getByRole('region', { name: 'My tickets' }).getByText(said).first().waitFor()
  await goTo(page, 'Recent Purchases')
  await page.getByLabel('Transaction hash').fill(hash)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.locator('[data-answer]').getByText(said).waitFor()
}

/** The notice of the home page is opened by the administrator, closed by the visitor, and opened anew. */
async function openNotice(page: Page, visitor: Page): Promise<void> {
  const notice = visitor.locator('#draw dialog')
  const press = async (word: string) => {
    await panel(page).getByRole('button', { name: word }).click()
    await agree(page, word)
  }
  await press('공지 켜기')
  await notice.getByRole('heading', { name: 'Refund Notice' }).waitFor()
  await visitor.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'hidden' })
  await press('공지 끄기')
  await press('공지 켜기')
  await notice.getByRole('heading', { name: 'Refund Notice' }).waitFor()
}

async function connect(page: Page, number: number): Promise<void> {
  await tabFilled(page)
  await panel(page).getByLabel('이벤트로 보기').selectOption(`${number}`)
  await panel(page).getByRole('button', { name: 'MetaMask 연결' }).click()
}

/** In calls of two. */
async function sign(page: Page, count: number): Promise<void> {
  await panel(page).getByLabel('거래 한 번에 보낼 건수').fill('2')
  await panel(page)
    .getByRole('button', { name: `${count}건 지갑에서 승인` })
    .click()
}

const expectTotal = (page: Page, name: string, sum: string) =>
  soon(() =>
    panel(page)
      .getByLabel('환불 합계')
      .locator('div', { has: page.getByText(name, { exact: true }) })
      .locator('.figure')
      .innerText(),
  ).toBe(sum)

/** An exact approval, and calls of two payers each with what each has paid; the popup of before the reload asked for the same. */
async function expectCalls(
  sent: readonly Record<string, string>[],
  { book, payers, now }: { book: Hex; payers: readonly Address[]; now: number },
): Promise<void> {
  const units = (index: number) => parseUnits(`${cents(index) / 100}`, 18)
  const inOrder = payers
    .map((payer, index) => ({ payer: payer.toLowerCase(), units: units(index) }))
    .sort((a, b) => (a.payer < b.payer ? -1 : 1))
  const [approval, ...calls] = sent
  expect(approval?.to?.toLowerCase()).toBe(usdt)
  expect(decodeFunctionData({ abi: erc20Abi, data: approval?.data as Hex })).toEqual({
    functionName: 'approve',
    args: [register.address, inOrder.reduce((sum, one) => sum + one.units, 0n)],
  })
  const read = calls.map(({ to, data }) => {
    const { args } = decodeFunctionData({ abi: registerAbi, data: data as Hex })
    const [named, token, debtors, totals, validUntil] = args as [Hex, Address, Address[], bigint[], bigint]
    expect([to, named, token.toLowerCase()]).toEqual([register.address, book, usdt])
    expect(Number(validUntil) - now).toBeLessThanOrEqual(3_600)
    return debtors.map((debtor, at) => ({ payer: debtor.toLowerCase(), units: totals[at] }))
  })
  expect(read).toEqual([inOrder.slice(0, 2), inOrder.slice(2), inOrder.slice(2)])
}
