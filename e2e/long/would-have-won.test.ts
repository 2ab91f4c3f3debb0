import { expect, test } from 'vitest'
import { blockSeedOf, drawWinner } from '../../core/draw/draw.ts'
import { draws } from '../../db/schema/index.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { go, shows } from '../lab/states.ts'
import { openStory, soon } from '../lab/story.ts'
import { createStage } from './screens/admin-stage.ts'

const admin = { username: 'lead', password: 'a-long-enough-password-9' }
const story = openStory({
  env: { SALE_LEAD_SECONDS: '10', ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})

test('an event that is refunded says who would have won, with its blocks, and names no winner', async () => {
  const { stack } = story
  const stage = createStage(stack, admin)
  await stage.login()
  await stage.call('PATCH', '/api/admin/raffle/config', { minTicketsForDraw: 1_000_000 })
  await stage.sell()
  await stage.endSoon(1_000_000)
  const { page } = await story.visit({ withWallet: false, path: '/#winner' })
  await stage.freeze()
  const [blockless] = await Promise.all([stage.call('GET', '/api/raffle/draw-status'), stage.reachDate()])
  expect(blockless.wouldHaveWon).toBeNull()
  const status = () => stage.call('GET', '/api/raffle/draw-status')
  await soon(async () => (await status()).wouldHaveWon).not.toBeNull()
  const { wouldHaveWon, ...rest } = await status()
  expect(rest).toMatchObject({
    isDrawing: false,
    isRefundMode: true,
    canDraw: false,
    refundReason: 'minimum',
  })
  const hashes = await Promise.all(
    wouldHaveWon.blocks.map(async ({ number }: { number: number }) => {
      const block = await rpc<{ hash: `0x${string}` }>(stack.chain.url, 'eth_getBlockByNumber', [
        `0x${number.toString(16)}`,
        false,
      ])
      return block.hash
    }),
  )
  const { winningTicket, seed } = drawWinner(blockSeedOf(hashes), wouldHaveWon.ticketsSold)
  expect(wouldHaveWon).toMatchObject({ ticketNumber: winningTicket, seed })

  await shows(page, '#winner', ['Refund Notice', 'Would have won', `#${winningTicket}`, 'nobody has won'])
  await page.getByText('Work it out yourself').click()
  await shows(page, '[data-undrawn]', [...hashes, seed, wouldHaveWon.ledgerSha256])
  expect(await page.locator('[aria-labelledby=claim-title]').count()).toBe(0)
  expect(await stage.call('GET', '/api/raffle/winner')).toBeNull()
  expect(await stack.db.select().from(draws)).toEqual([])

  const { summary } = await stage.call('GET', '/api/admin/refunds')
  const { totalTickets, totalAmount } = summary.event
  await stage.call('POST', '/api/admin/raffle/execute-refund', { refundInfo: { totalTickets, totalAmount } })
  await stage.openNext()
  await go(page, 'Winner')
  await shows(page, '[aria-labelledby=history-title]', [
    'Event #1',
    'N/A',
    'Would have won',
    `#${winningTicket}`,
  ])
  expect(await page.locator('[data-undrawn]').count()).toBe(0)
})
