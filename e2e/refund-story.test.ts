import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import { mustHaveEvent } from '../db/event/events.ts'
import { agree, panel, tabFilled } from './lab/admin-verbs.ts'
import { waitBlockTime } from './lab/chain-verbs.ts'
import { expectTotal, finished, openDeskStory } from './lab/desk-story.ts'
import { payAll } from './lab/payers.ts'
import { choosePath, connectOperator, prepare, reload, sign } from './lab/refund-verbs.ts'
import { soon } from './lab/story.ts'
import { connectWallet, goTo } from './lab/verbs.ts'

const payerCount = 4
const desk = openDeskStory(payerCount)
const { story } = desk

test('a sale that missed its minimum is told to everybody and refunded to the last payer, also when the wallet’s answer is lost', async () => {
  const { saleStart } = await mustHaveEvent(story.stack.db)
  await waitBlockTime(desk.rpcUrl, saleStart.getTime())
  const [bought] = await payAll(desk.rpcUrl, desk.payers, (index) => 300 * (index + 1))
  await desk.inBooks('event', payerCount)
  const { page: visitor } = await story.visit({ path: '/#winner', withWallet: false })
  await desk.reachRefundMode()
  await soon(() => visitor.locator('#winner-title').innerText()).toBe('Refund Announcement!')
  await visitor.locator('#winner [role=status]').getByRole('heading', { name: 'Refund Notice' }).waitFor()

  const { page, wallet } = await desk.visitDesk()
  await panel(page).getByText('환불 모드입니다.').waitFor()
  await tabFilled(page)
  const notice = visitor.locator('#draw dialog')
  const press = async (word: string) => {
    await panel(page).getByRole('button', { name: word }).click()
    await agree(page, word)
  }
  // The notice stays closed until it is given anew.
  await press('공지 켜기')
  await notice.getByRole('heading', { name: 'Refund Notice' }).waitFor()
  await visitor.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'hidden' })
  await press('공지 끄기')
  await panel(page).getByRole('button', { name: '공지 켜기' }).waitFor()
  await press('공지 켜기')
  await notice.getByRole('heading', { name: 'Refund Notice' }).waitFor()

  await prepare(page)
  await connectOperator(page)
  await choosePath(page, '한 건씩')
  const lost = wallet.loseAnswer(1)
  await sign(page)
  await lost
  await reload(page)
  await choosePath(page, '한 건씩')
  await sign(page)
  await finished(page)
  expect(wallet.sent()).toHaveLength(payerCount)
  await expectTotal(page, '완료', '30.00')
  await expectTotal(page, '남음', '0.00')
  await desk.expectAllPaid()
  await seeOwnRefund(bought as Hash)
})

/** The first payer finds the refund with the connected wallet, and by the hash of the payment. */
async function seeOwnRefund(hash: Hash): Promise<void> {
  const { page } = await story.visit({ account: 1 })
  await page.getByRole('button', { name: 'Close' }).click()
  await connectWallet(page)
  await goTo(page, 'Buy Tickets')
  const mine = page.getByRole('region', { name: 'My tickets' })
  await mine.getByText('Refunded').first().waitFor()
  await goTo(page, 'Recent Purchases')
  await page.getByLabel('Transaction hash').fill(hash)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.locator('[data-answer]').getByText('Refunded').waitFor()
}
