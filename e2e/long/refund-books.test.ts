import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { type Address, getAddress } from 'viem'
import { expect, test } from 'vitest'
import { agree, panel } from '../lab/admin-verbs.ts'
import { finished, openDeskStory } from '../lab/desk-story.ts'
import { fund, handOut, payAll } from '../lab/payers.ts'
import { choosePath, connectOperator, prepare, sign } from '../lab/refund-verbs.ts'
import { soon } from '../lab/story.ts'

const desk = openDeskStory(4)
const { story } = desk

const bar = (page: Page) => panel(page).getByLabel('환불 진행').getByRole('img').getAttribute('aria-label')
const sentence = (page: Page) => panel(page).getByLabel('환불 진행').getByRole('status').innerText()
const line = (page: Page, payer: Address) =>
  panel(page).locator('li[data-row]', { has: page.getByTitle(getAddress(payer)) })
const sums = async (page: Page, payer: Address) =>
  (await line(page, payer).locator('.figure').allInnerTexts()).slice(1, 5)

test('the desk shows for each payer what is owed, paid, in flight and left, and what happens next', async () => {
  const { rpcUrl: url, payers } = desk
  const [first, second, tiny, other] = payers as [Address, Address, Address, Address]
  await payAll(url, payers, (index) => [250, 100, 5, 150][index] ?? 0)
  await desk.inBooks('leftover', payers.length)
  const { page, wallet } = await desk.visitDesk({}, 1440)
  await prepare(page)
  await soon(() => sentence(page)).toBe('남은 3건, 5.00 USDT를 지갑에서 승인하세요.')
  expect(await bar(page)).toBe('완료 0%, 진행 중 0%, 남음 99%, 보류 0.99%')

  // Half of the first refund by hand, past the desk.
  await handOut(url, first, 125)
  await soon(() => sums(page, first)).toEqual(['2.50', '1.25', '0.00', '1.25'])
  expect(await sums(page, tiny)).toEqual(['0.05', '0.00', '0.00', '0.05'])
  await line(page, first).getByRole('button', { expanded: false }).click()
  const facts = line(page, first)
  await facts.getByRole('region', { name: '받은 결제' }).getByText('2.50').waitFor()
  const part = facts.getByRole('region', { name: '나간 전송' })
  await part.getByText('1.25').waitFor()
  // It counts as a refund until a person says that it was none, and that can be taken back.
  await part.getByRole('button', { name: '환불 아님으로' }).click()
  await soon(() => sums(page, first)).toEqual(['2.50', '0.00', '0.00', '2.50'])
  await part.getByRole('button', { name: '환불에서 빼기' }).click()
  await soon(() => sums(page, first)).toEqual(['2.50', '1.25', '0.00', '1.25'])
  await fund(url, 1_000)
  // More than is owed to the last one: only a person knows what it was for.
  await handOut(url, other, 400)
  await soon(() => sums(page, other)).toEqual(['1.50', '1.50', '0.00', '0.00'])
  await line(page, other).getByRole('button', { expanded: false }).click()
  const sent = line(page, other).getByRole('region', { name: '나간 전송' })
  await sent.getByText('환불에서 뺌', { exact: true }).waitFor()
  await sent.getByRole('button', { name: '환불 아님으로' }).click()
  await soon(() => sums(page, other)).toEqual(['1.50', '0.00', '0.00', '1.50'])
  await sent.getByText('환불 아님', { exact: true }).waitFor()

  await panel(page).getByLabel('주소나 거래로 찾기').fill(second)
  await soon(() => panel(page).locator('li[data-row]').count()).toBe(1)
  await panel(page).getByLabel('주소나 거래로 찾기').fill('')
  await connectOperator(page)
  const answer = wallet.hold('eth_sendTransaction')
  await sign(page)
  await soon(() => sentence(page)).toBe('지갑에서 3건을 승인하세요.')
  answer()
  await soon(() => sentence(page)).toBe('보류한 1건, 0.05 USDT만 남았습니다. 하나씩 열어 보낼지 정하세요.')
  expect(await bar(page)).toBe('완료 99%, 진행 중 0%, 남음 0%, 보류 0.99%')
  // A run that is not over yet would send what is let go now by itself.
  await finished(page)
  await panel(page).getByRole('button', { name: /^보류/ }).click()
  await soon(() => panel(page).locator('li[data-row]').count()).toBe(1)
  await line(page, tiny).getByRole('button', { expanded: false }).click()
  await line(page, tiny).getByRole('button', { name: '소액도 보내기' }).click()
  await agree(page, '포함')
  await panel(page).getByText('해당하는 환불이 없습니다.').waitFor()
  await sign(page)
  await soon(() => sentence(page)).toBe('모두 환불했고 체인에서 확정되었습니다. 더 할 일이 없습니다.')
  expect(await bar(page)).toBe('완료 100%, 진행 중 0%, 남음 0%, 보류 0%')
})

test('a refund that was paid by hand can be called lost while its popup may still be open, which frees its payer', async () => {
  const { rpcUrl: url, payers } = desk
  const payer = payers[1] as Address
  await payAll(url, [payer], () => 130)
  await desk.inBooks('leftover', payers.length + 1)
  const { page, wallet } = await desk.visitDesk({ picksNonces: true })
  await prepare(page, '추가 준비')
  await connectOperator(page)
  await choosePath(page, '한 건씩')
  wallet.hold('eth_sendTransaction')
  await sign(page)
  await panel(page).getByRole('button', { name: '답을 기다리지 않기' }).click()
  await panel(page).getByText('이미 보냈을 수 있으므로').waitFor()
  // In two parts, neither of which is what the popup would send.
  for (const cents of [60, 70]) await handOut(url, payer, cents)
  await soon(() => sums(page, payer)).toEqual(['2.30', '2.30', '0.00', '0.00'])
  await line(page, payer).getByRole('button', { expanded: false }).click()
  await line(page, payer).getByText('체인에서 확정되었습니다.').first().waitFor()
  const callLost = line(page, payer).getByRole('button', { name: '거래 없음으로 표시' })
  expect(await callLost.count()).toBe(0)
  await story.stack.db.execute(sql`update refund_rows set offered_at = offered_at - interval '25 hours'`)
  await callLost.click()
  await agree(page, '없음으로 표시')
  await callLost.waitFor({ state: 'detached' })
  const flights = sql`select 1 from refund_rows where offered_at is not null`
  await soon(async () => [...(await story.stack.db.execute(flights))]).toEqual([])
  expect(await line(page, payer).getByRole('button', { name: '다른 주소로 환불' }).count()).toBe(0)
})
