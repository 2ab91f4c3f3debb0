import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Known } from '../live/live.ts'

// What the stream brings is set by the test; another file may have loaded the real one.
vi.mock('../live/live-source.ts', () => ({ openLiveSource: () => () => {} }))
vi.resetModules()
const { $link, $live } = await import('../live/live.ts')
const { $wallet } = await import('../wallet/wallet.ts')
const { $myTickets } = await import('./my-tickets.ts')

const address = `0x${'ab'.repeat(20)}` as const
let asked: string[]
let stop = () => {}
beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (url: string | Request) => {
    asked.push(String(url instanceof Request ? url.url : url))
    return Response.json({ walletAddress: address, payments: [] })
  })
  $wallet.set({ ...$wallet.get(), address })
  stop = $myTickets.listen(() => {})
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

const config = (change: object) =>
  $live.set({ ...$live.get(), config: change as NonNullable<Known['config']> })

test('tickets are asked for again when refund mode begins, and when the stream comes back', async () => {
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]).toContain(`/api/tickets/wallet/${address}`)
  config({ eventNumber: 1, isRefundMode: true })
  expect(asked).toHaveLength(2)
  $link.set('offline')
  expect(asked).toHaveLength(2)
  $link.set('live')
  expect(asked).toHaveLength(3)
})
