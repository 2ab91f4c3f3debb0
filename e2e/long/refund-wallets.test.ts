import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { type Address, getAddress } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { unitsOf } from '../../core/money.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { agree, panel } from '../lab/admin-verbs.ts'
import { finished, openDeskStory } from '../lab/desk-story.ts'
import { payAll } from '../lab/payers.ts'
import { prepare, sign } from '../lab/refund-verbs.ts'
import { until } from '../lab/until.ts'
import { transfersBetween } from '../lab/usdt.ts'

const payerCount = 5
const desk = openDeskStory(payerCount)
const { story, call, inBooks } = desk
/** The event's wallet now; the operator's account of the chain was it before. */
let now: Address

/** Everybody has paid the wallet before and the one of now, too little for a ticket. */
beforeAll(async () => {
  now = getAddress(await story.account(3))
  await payAll(desk.rpcUrl, desk.payers, () => 110)
  await inBooks('leftover', payerCount)
  expect((await call('PATCH', '/api/admin/raffle/config', { operatorWallet: now })).status).toBe(200)
  await payAll(desk.rpcUrl, desk.payers, () => 120, now)
  await inBooks('leftover', payerCount, payerCount * (110 + 120))
})

const others = (page: Page) => panel(page).getByRole('region', { name: '다른 지갑이 갚을 환불' })
const limited = (page: Page) => panel(page).getByRole('region', { name: '제한된 지갑' })
/** Fills in and sends the form that is open. */
async function tell(page: Page, action: string, note: string): Promise<void> {
  await panel(page).getByLabel('무슨 일이 있었는지').fill(note)
  await panel(page).getByRole('button', { name: action }).click()
}
/** What each payer got from our wallets, counted from the logs. */
const paidBy = async (from: Address) => {
  const all = await transfersBetween(desk.rpcUrl, { from })
  return desk.payers.map((payer) =>
    all.filter(({ to }) => to === payer.toLowerCase()).reduce((total, { units }) => total + units, 0n),
  )
}
const eachGot = (cents: number) => desk.payers.map(() => unitsOf(cents))

const openDesk = () => desk.visitDesk({ accounts: [now, operatorAccount] })
async function connect(page: Page, wallet: Address): Promise<void> {
  await panel(page).getByLabel('보낼 지갑').selectOption(wallet)
  await panel(page).getByRole('button', { name: '운영자 지갑 연결' }).click()
}

test('each wallet pays what it owes; what another one owes it pays once that one has waived it', async () => {
  const { page, wallet } = await openDesk()
  await prepare(page)
  await connect(page, now)
  await others(page).getByText('5.50 USDT').waitFor()
  await sign(page)
  await finished(page)
  expect(await paidBy(now)).toEqual(eachGot(120))

  await others(page).getByRole('button', { name: '이 지갑에서 넘기기' }).click()
  await agree(page, '지갑에서 승인', operatorAccount.slice(0, 6))
  await page.locator('#toasts').getByText('넘기는 거래를 보냈습니다').waitFor()
  expect(wallet.sent().at(-1)).toMatchObject({ from: operatorAccount, to: register.address })
  const waivable = `/api/admin/refunds/waivable?wallet=${operatorAccount}`
  await until(async () => (await call('GET', waivable)).body.length === 0, 'the waiver in the books')
  await page.reload()
  await connect(page, now)
  await sign(page)
  await finished(page)
  expect(await paidBy(now)).toEqual(eachGot(230))
  expect(await paidBy(operatorAccount)).toEqual(eachGot(0))
})

test('the desk shows what a restored wallet may not do, until its administrator knows every call of it', async () => {
  const client = postgres(story.stack.databaseUrl, { max: 1 })
  await client`update operator_wallets set unheard_until = now() + interval '7 days'
    where address = ${now.toLowerCase()}`
  await client.end()
  const { page } = await openDesk()
  await limited(page).getByText('환불 컨트랙트로만 보낼 수 있고').waitFor()
  await limited(page).getByRole('button', { name: '넘긴 호출이 없습니다' }).click()
  await tell(page, '모르는 호출이 없다고 기록', '백업 뒤로 서명하지 않았습니다')
  await limited(page).waitFor({ state: 'detached' })
  const { body } = await call('GET', '/api/admin/audit')
  expect(JSON.stringify(body)).toContain('백업 뒤로 서명하지 않았습니다')
})

test('a wallet whose key is lost never pays again: another one pays in its place, by the administrator’s word', async () => {
  await payAll(desk.rpcUrl, desk.payers, () => 105)
  await inBooks('leftover', 2 * payerCount)
  const { page } = await openDesk()
  await prepare(page, '추가 준비')
  await connect(page, now)
  await others(page).getByText('5.25 USDT').waitFor()
  await others(page).getByRole('button', { name: '키를 잃었습니다' }).click()
  await tell(page, '쓸 수 없는 지갑으로 기록', '기기를 찾지 못했습니다')
  await others(page).getByText('연결한 지갑이 대신 보냅니다.').waitFor()
  await limited(page).getByRole('button', { name: '키를 되찾았습니다' }).click()
  await tell(page, '다시 쓸 수 있는 지갑으로 기록', '서랍에 있었습니다')
  await limited(page).waitFor({ state: 'detached' })
  await others(page).getByRole('button', { name: '키를 잃었습니다' }).click()
  await tell(page, '쓸 수 없는 지갑으로 기록', '기기를 도난당했습니다')
  await others(page).getByText('연결한 지갑이 대신 보냅니다.').waitFor()
  await sign(page)
  await finished(page)
  expect(await paidBy(now)).toEqual(eachGot(335))
  expect(await paidBy(operatorAccount)).toEqual(eachGot(0))
  const { body } = await call('GET', '/api/admin/audit')
  for (const note of ['기기를 찾지 못했습니다', '서랍에 있었습니다', '기기를 도난당했습니다'])
    expect(JSON.stringify(body)).toContain(note)
})
