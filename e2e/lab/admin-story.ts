import { eq, max } from 'drizzle-orm'
import { expect } from 'vitest'
import { mustHaveEvent } from '../../db/event/events.ts'
import { termsVersions } from '../../db/schema/index.ts'
import { createAdminClient } from './admin-client.ts'
import { admin, arrive, refusals, tabFilled } from './admin-verbs.ts'
import { waitBlockTime } from './chain-verbs.ts'
import { payByHand } from './pay.ts'
import { openStory, soon, type Visitor } from './story.ts'
import { testBeacon } from './test-beacon.ts'

export type AdminStory = ReturnType<typeof openAdminStory>

const minute = 60_000
/** A full second so far from now. */
export const dateIn = (ms: number) => new Date(Math.ceil(Date.now() / 1000) * 1000 + ms).toISOString()

/** One stack with an administrator and a sale that ends ten seconds before its draw, for all journeys of a file. */
export function openAdminStory(env: Record<string, string> = {}, more: Parameters<typeof openStory>[0] = {}) {
  const story = openStory({
    ...more,
    env: {
      ...{ ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
      // With a beacon of its own a house is a local one, where a sale may end five seconds from now.
      LOCAL_BEACON_KEY: testBeacon.publicKey,
      ...env,
    },
  })
  const { call, login } = createAdminClient(() => story.stack.url, admin)
  const get = async (path: string) => (await call('GET', path)).body
  const event = () => mustHaveEvent(story.stack.db)
  const isOver = async (): Promise<boolean> => (await get('/api/admin/raffle/config')).isOver

  async function patch(body: object): Promise<void> {
    expect(await call('PATCH', '/api/admin/raffle/config', body)).toMatchObject({ status: 200 })
  }
  /** Payments count from now on, by the terms that were saved last. */
  async function saleBegun(): Promise<void> {
    const { saleStart, number } = await event()
    const [last] = await story.stack.db
      .select({ since: max(termsVersions.since) })
      .from(termsVersions)
      .where(eq(termsVersions.eventNumber, number))
    await waitBlockTime(story.stack.chain.url, Math.max(saleStart.getTime(), last?.since?.getTime() ?? 0))
  }
  /** A buyer's transfer by hand, within the sale. */
  async function pay(account: number, usdt: number) {
    await saleBegun()
    return payByHand(story.stack.chain.url, await story.account(account), usdt)
  }
  /** The sale ends some seconds from now, and is drawn ten seconds later: a date that was not set, or of an event without a ticket. */
  const endSale = (ms = 16_000): Promise<void> => patch({ drawDate: dateIn(ms) })
  /** The open event has ended with a winner, whoever bought before; answers with its number. */
  async function over(): Promise<number> {
    await login()
    const { number, saleEnd, ticketsSold } = await event()
    if (await isOver()) return number
    if (ticketsSold === 0) {
      await patch({ minTicketsForDraw: 1, ...(saleEnd && { drawDate: dateIn(minute) }) })
      await pay(2, 3)
      await soon(async () => (await event()).ticketsSold).toBeGreaterThan(0)
    }
    if (saleEnd === null) await endSale()
    // Until the sale's end, the blocks of the draw and its ten seconds have passed, however busy the machine is.
    await expect.poll(isOver, { timeout: 180_000 }).toBe(true)
    return number
  }

  return {
    ...{ story, call, get, event, patch, saleBegun, pay },
    endSale,
    /** The number of an event that sells for an hour yet, or without a date; `untouched`: no ticket of it was sold. */
    selling: async ({ untouched = false } = {}): Promise<number> => {
      await login()
      const { saleEnd, ticketsSold } = await event()
      const isEnding = saleEnd !== null && saleEnd.getTime() < Date.now() + minute
      if (isEnding || (untouched && ticketsSold > 0)) {
        await over()
        await patch({ drawDate: dateIn(60 * minute) })
      }
      return (await event()).number
    },
    /** At the login, in a browser without a wallet. */
    atLogin: (more: Parameters<typeof story.visit>[0] = {}): Promise<Visitor> =>
      story.visit({ path: '/admin-login', allow: refusals, withWallet: false, ...more }),
    /** Logged in, at a tab of the dashboard. */
    atDashboard: async (
      tab: string,
      width = 1280,
      more: Parameters<typeof story.visit>[0] = {},
    ): Promise<Visitor> => {
      const token = await login()
      const visitor = await story.visit({
        ...{ path: `/admin#${tab}`, allow: refusals, withWallet: false, width, ...more },
        prepare: (context) =>
          context.addInitScript((token) => {
            if (location.protocol === 'http:') localStorage.setItem('adminToken', token)
          }, token),
      })
      await arrive(visitor.page)
      await tabFilled(visitor.page)
      return visitor
    },
  }
}
