import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import type { PublicPrize } from '../../core/prize/promise.ts'
import { rpc } from '../../infra/local/rpc.ts'
import type { AdminStory } from '../lab/admin-story.ts'
import { panel } from '../lab/admin-verbs.ts'
import { mine, waitBlocks } from '../lab/chain-verbs.ts'
import { soon } from '../lab/story.ts'
import { connectWallet } from '../lab/verbs.ts'

async function claim(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Sign claim' }).click()
  const code = await page.locator('[data-code]').innerText()
  // No form is set up, and a winner is told where to write all the same.
  await page.getByText('E-mail your shipping details with this code').waitFor()
  expect(await page.getByRole('button', { name: /^(Sign claim|Show the code)/ }).count()).toBe(0)
  return code
}

/** As the administrator does it on the desk, by event and place. */
async function ship(desk: Page, prize: string): Promise<void> {
  const item = desk.locator(`[data-desk-prize="${prize}"]`)
  await item.getByLabel('운송장').fill(`CJ ${prize}`)
  await item.getByRole('button', { name: '발송으로 표시' }).click()
  await item.getByRole('button', { name: '운송장 저장' }).waitFor()
}

export async function deliver(desk: Page, prize: string): Promise<void> {
  const item = desk.locator(`[data-desk-prize="${prize}"]`)
  await item.getByRole('button', { name: '받은 것으로 표시' }).click()
  await item.getByText('더 할 일이 없습니다.').waitFor()
}

/** The prizes of an event that was just drawn, with two winners and three reserves at most, until one of them is delivered. */
export function prizeJourney({ story, call, get, event, atDashboard }: AdminStory, claimDays: number): void {
  const prizeAt = async (place: number) =>
    ((await get('/api/raffle/prizes')) as PublicPrize[]).find((prize) => prize.place === place)
  /** A visitor whose wallet is this one, in the Winner section. */
  async function asHolder(wallet: Address): Promise<Page> {
    const { page } = await story.visit({ path: '/#winner', wallet: { accounts: [wallet] } })
    await connectWallet(page)
    return page
  }

  test('a whole life with two winners, one of whom never claims, ends with the delivered prize of the reserve on the public page', async () => {
    const { number } = await event()
    const { page: stranger } = await story.visit({ withWallet: false, width: 390, path: '/#winner' })
    const drawn: PublicDrawnTicket[] = await get('/api/raffle/winners')
    const walletOf = (kind: PublicDrawnTicket['kind'], place: number): Address =>
      drawn.find((ticket) => ticket.kind === kind && ticket.place === place)?.walletAddress ??
      expect.fail(`no ${kind} ${place}`)
    await stranger.locator('[data-prize="2"][data-standing=unclaimed] [data-holder=winner]').waitFor()

    // The first winner claims; the second one stays away.
    const first = await asHolder(walletOf('winner', 1))
    const code = await claim(first)
    expect(
      (await call('POST', '/api/admin/raffle/claim-code', { eventNumber: number, code })).body,
    ).toMatchObject({
      isValid: true,
      place: 1,
    })
    await stranger.locator('[data-prize="1"][data-standing=claimed]').waitFor()

    // The last moment passes by the chain's own time: by rule the first reserve's turn comes, and nobody chose.
    const { url } = story.stack.chain
    await rpc(url, 'evm_increaseTime', [claimDays * 86_400])
    await mine(url)
    await waitBlocks(url, 4)
    const reserve = walletOf('reserve', 1)
    await soon(async () => (await prizeAt(2))?.holder).toMatchObject({
      kind: 'reserve',
      walletAddress: reserve,
    })
    await stranger.locator('[data-prize="2"][data-standing=unclaimed] [data-holder=reserve]').waitFor()
    expect((await prizeAt(1))?.state).toBe('claimed')

    const late = await asHolder(walletOf('winner', 2))
    await late.getByRole('heading', { name: 'Is this your wallet?' }).waitFor()
    expect(await late.getByRole('button', { name: 'Sign claim' }).count()).toBe(0)
    const holder = await asHolder(reserve)
    await holder.getByRole('heading', { name: 'It is your turn' }).waitFor()
    await claim(holder)
    await stranger.locator('[data-prize="2"][data-standing=claimed]').waitFor()

    const { page: desk } = await atDashboard('winner')
    await panel(desk).getByRole('heading', { name: '경품 관리' }).waitFor()
    await ship(desk, `${number} 1`)
    await ship(desk, `${number} 2`)
    await stranger.locator('[data-prize="2"][data-standing=sent]').waitFor()
    expect(await stranger.locator('body').innerText()).not.toContain(`CJ ${number} 2`)

    await holder.getByRole('heading', { name: 'Your prize is on its way' }).waitFor()
    await deliver(desk, `${number} 2`)
    const record = stranger.locator('[data-prize="2"][data-standing=delivered]')
    await record.locator('[data-holder=reserve]').waitFor()
    await record.locator('summary').click()
    expect(
      await record.locator('[data-taken]').evaluateAll((steps) => steps.map((step) => step.dataset.taken)),
    ).toEqual(['drawn', 'turn', 'claimed', 'sent', 'delivered'])
    expect(await record.innerText()).toContain(`${claimDays} days later`)
  })
}
