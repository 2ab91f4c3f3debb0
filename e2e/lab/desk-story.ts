import { sql } from 'drizzle-orm'
import type { BrowserContext, Page } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import type { RefundKind } from '../../core/refund/rules.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { createAdminClient } from './admin-client.ts'
import { admin, arrive, panel, refusals } from './admin-verbs.ts'
import { withOtherPast } from './other-past.ts'
import { openPayers, sumsOf } from './payers.ts'
import { lookOften, watchEachBlock } from './quick-looks.ts'
import { openStory, soon, type Visitor } from './story.ts'
import { until } from './until.ts'
import { transfersBetween } from './usdt.ts'

type Wallet = NonNullable<NonNullable<Parameters<ReturnType<typeof openStory>['visit']>[0]>['wallet']>

/**
 * The whole product with payers of their own, for a test file about the refund desk: an administrator is logged in, and
 * neither page nor worker lets a story wait for its regular rounds.
 */
export function openDeskStory(payerCount: number) {
  const story = openStory({
    env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
  })
  const { call, login } = createAdminClient(() => story.stack.url, admin)
  let token: string
  let payers: Address[]
  let watching: ReturnType<typeof watchEachBlock> | undefined

  beforeAll(async () => {
    const { chain, databaseUrl } = story.stack
    watching = watchEachBlock({ rpcUrl: chain.url, databaseUrl })
    token = await login()
    payers = await openPayers(chain.url, await story.account(1), await story.account(2), payerCount)
  })
  afterAll(() => watching?.stop())

  const logIn = (context: BrowserContext) =>
    context.addInitScript((token) => {
      if (location.protocol === 'http:') localStorage.setItem('adminToken', token)
    }, token)
  const found = async (kind: RefundKind): Promise<{ totalRefunds: number; totalAmount: number }> =>
    (await call('GET', '/api/admin/refunds?event=1')).body.summary[kind]

  return {
    story,
    call,
    get rpcUrl() {
      return story.stack.chain.url
    },
    /** The first one has an account of anvil's. */
    get payers() {
      return payers
    },
    /** The desk in the browser of an administrator, whose wallet holds the operator's account unless said otherwise. */
    visitDesk: async (wallet: Wallet = {}, width = 1280): Promise<Visitor> => {
      const visitor = await story.visit({
        ...{ path: '/admin#refund', account: 0, wallet, width, allow: refusals },
        prepare: async (context) => {
          await lookOften(context)
          await logIn(context)
        },
      })
      await arrive(visitor.page)
      return visitor
    },
    /** The database is put back to a backup while nothing runs; the administrator, who has left the desk, returns to it. */
    restore: async (putBack: () => Promise<void>, { page, context }: Visitor): Promise<void> => {
      const { api, worker, url } = story.stack
      await page.goto('about:blank')
      await Promise.all([api.stop(), worker.stop()])
      await putBack()
      await Promise.all([api.start(), worker.start()])
      token = await login()
      await logIn(context)
      await page.goto(`${url}/admin#refund`)
      await arrive(page)
    },
    /** Waits until so many payers are owed something, and, if said, so much. */
    inBooks: (kind: RefundKind, payers: number, cents?: number) =>
      until(async () => {
        const { totalRefunds, totalAmount } = await found(kind)
        return totalRefunds === payers && totalAmount === (cents ?? totalAmount)
      }, `${payers} payers who are owed something`),
    /** Too few tickets were sold. Between sale end and draw date nothing happens that these stories are about. */
    reachRefundMode: async (): Promise<void> => {
      const drawDate = new Date(Math.ceil(Date.now() / 1000) * 1000 + 15_000).toISOString()
      expect((await call('PATCH', '/api/admin/raffle/config', { drawDate })).status).toBe(200)
      const isFrozen = async () => (await call('GET', '/api/admin/raffle/config')).body.frozenAt !== null
      await until(isFrozen, 'the list is frozen')
      await withOtherPast(story.stack.db, (tx) => tx.execute(sql`update events set draw_date = now()`))
    },
    /** How many transfers this wallet has made to them. */
    paidBy: async (from: Address): Promise<number> => {
      const own = new Set<string>(payers.map((payer) => payer.toLowerCase()))
      return (await transfersBetween(story.stack.chain.url, { from })).filter(({ to }) => own.has(to)).length
    },
    /** I15: by the chain's logs, every payer got back exactly what they paid the operator, to the unit. */
    expectAllPaid: async (of = payers, wallet: Address = operatorAccount): Promise<void> => {
      for (const { paidIn, paidOut } of await sumsOf(story.stack.chain.url, of, wallet)) {
        expect(paidIn).toBeGreaterThan(0n)
        expect(paidOut).toBe(paidIn)
      }
    },
  }
}

/** Everything that this wallet may send has been sent, and is final. */
export const finished = (page: Page): Promise<void> =>
  panel(page).getByText('보낼 수 있는 환불을 모두 보냈고').waitFor({ timeout: 60_000 })

/** A cell of the batch's totals. */
const total = (page: Page, name: string): Promise<string> =>
  panel(page)
    .getByLabel('환불 합계')
    .locator('div', { has: page.getByText(name, { exact: true }) })
    .locator('.figure')
    .innerText()

export const expectTotal = (page: Page, name: string, sum: string) => soon(() => total(page, name)).toBe(sum)
