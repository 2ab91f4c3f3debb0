import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import type { Address } from 'viem'
import { register } from '../../../core/chain/register.ts'
import { watchWallet } from '../../../db/event/events.ts'
import { startPostgres } from '../../../infra/local/postgres.ts'
import { rpc } from '../../../infra/local/rpc.ts'
import { createAdminClient } from '../../lab/admin-client.ts'
import { admin, arrive, fillLogin, panel } from '../../lab/admin-verbs.ts'
import { openBrowser } from '../../lab/browser.ts'
import { accountsOf, sendMined } from '../../lab/chain-verbs.ts'
import { handOut, openPayers, payAll } from '../../lab/payers.ts'
import { connectOperator, prepare, sign } from '../../lab/refund-verbs.ts'
import { sellToSafe } from '../../lab/safe-event.ts'
import { startStack } from '../../lab/stack.ts'
import { until } from '../../lab/until.ts'
import { approveData, usdt, usdtGas } from '../../lab/usdt.ts'
import { createWallet } from '../../lab/wallet.ts'

/**
 * `bun e2e/long/screens/refund-screens.ts OUTDIR [widths] [themes]`: the states of the refund desk with a connected wallet,
 * for people to look at.
 */
const [outDir, widths = '1440,390', themes = 'light,dark'] = process.argv.slice(2)
if (!outDir) {
  console.error('Say where the pictures go: bun e2e/long/screens/refund-screens.ts OUTDIR')
  process.exit(1)
}
mkdirSync(outDir, { recursive: true })

const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-screens-'))
chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
const postgres = await startPostgres({ dataDir, durable: false })
const stack = await startStack({
  database: { url: postgres.url, close: async () => undefined },
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, SALE_LEAD_SECONDS: '10' },
})
const { url: rpcUrl } = stack.chain
const browser = await openBrowser()
try {
  const [operator, buyer, rich] = (await accountsOf(rpcUrl)) as [Address, Address, Address]
  const payers = await openPayers(rpcUrl, buyer, rich, 43)
  const inSafe = payers.splice(40)
  await payAll(rpcUrl, payers, (index) => 100 + index)
  const { call, login } = createAdminClient(() => stack.url, admin)
  await login()
  const safe = await sellToSafe(call, rpcUrl)
  await payAll(rpcUrl, inSafe, () => 150, safe.address)
  await until(async () => {
    const { body } = await call('GET', '/api/admin/refunds?event=1')
    return body.summary.leftover.totalRefunds === 43
  }, '43 payers who are owed something')
  const code = await rpc(rpcUrl, 'eth_getCode', [register.address, 'latest'])
  let isFirst = true
  for (const width of widths.split(',').map(Number))
    for (const theme of themes.split(',') as ('light' | 'dark')[]) {
      await takeAll({ operator, first: buyer, code, width, theme, isFirst })
      isFirst = false
    }
} finally {
  await browser.close()
  await stack.stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

type Look = {
  operator: Address
  /** The first payer, half of whose refund was sent by hand. */
  first: Address
  code: unknown
  width: number
  theme: 'light' | 'dark'
  isFirst: boolean
}

async function takeAll({ operator, first, code, width, theme, isFirst }: Look): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height: width < 700 ? 800 : 900 },
    ...{ colorScheme: theme, reducedMotion: 'reduce' },
  })
  context.setDefaultTimeout(15_000)
  const wallet = createWallet({ accounts: [operator], rpcUrl })
  await wallet.install(context)
  const page = await context.newPage()
  const shot = async (name: string) => {
    await settle(page)
    await page.screenshot({ path: join(outDir as string, `${width}-${theme}-${name}.png`), fullPage: true })
  }
  await page.goto(`${stack.url}/admin-login`)
  await fillLogin(page)
  await arrive(page)
  await page.goto(`${stack.url}/admin#refund`)
  if (isFirst) {
    await prepare(page)
    await handOut(rpcUrl, first, 50)
  }
  await panel(page).getByRole('list', { name: '환불 대상' }).waitFor()
  await shot('1-before')

  await rpc(rpcUrl, 'anvil_setCode', [register.address, '0x'])
  await connectOperator(page)
  await panel(page).getByRole('button', { name: '컨트랙트 올리기' }).waitFor()
  await shot('2-no-register')
  await rpc(rpcUrl, 'anvil_setCode', [register.address, code])
  await page.reload()
  await connectOperator(page)
  await panel(page).getByText('환불 컨트랙트, 2회').waitFor()
  await panel(page).locator('details:has(fieldset) summary').click()
  await shot('3-ready')

  const allow = wallet.hold('eth_sendTransaction', 0, 1)
  await sign(page)
  await panel(page).getByText('먼저 보낼 합계를').waitFor()
  await shot('4-allowance')
  allow()
  const pay = wallet.hold('eth_sendTransaction', 0, 1)
  await panel(page).getByText('환불 컨트랙트가 한 거래로').waitFor()
  await shot('5-payment')
  await panel(page).getByRole('button', { name: '답을 기다리지 않기' }).click()
  await panel(page)
    .getByText(/까지 직접 지급하지 마세요/)
    .waitFor()
  await shot('6-unanswered')
  wallet.refuse('eth_sendTransaction')
  pay()
  await panel(page)
    .getByRole('button', { name: /40건 지갑에서 승인/ })
    .waitFor()

  await otherWallets(page)
  await shot('7-other-wallets')
  await stack.db.execute(sql`update refund_rows set reason = 'ahead' where id <= 3`)
  await page.reload()
  await panel(page).getByText('장부보다 앞섬').first().waitFor()
  await panel(page).locator('li[data-row]').first().getByRole('button').click()
  await panel(page).getByRole('region', { name: '나간 전송' }).waitFor()
  await shot('8-ahead')
  await stack.db.execute(sql`update refund_rows set reason = null`)
  // The allowance was signed: the next round begins without it.
  await sendMined(rpcUrl, { from: operator, to: usdt, data: approveData(register.address, 0n), gas: usdtGas })
  await context.close()
}

/** Another wallet of ours that was paid before: it owes the first payers. */
async function otherWallets(page: Page): Promise<void> {
  const other: Address = '0xa0ee7a142d267c1f36714e4a8f75612f20a79720'
  await watchWallet(stack.db, other)
  await stack.db.execute(sql`update refund_row_payments set paid_by = ${other} where row_id <= 3`)
  await until(
    () => panel(page).getByRole('button', { name: '이 지갑에서 넘기기' }).isVisible(),
    'the other wallet in its card',
  )
  await panel(page).getByRole('button', { name: '키를 잃었습니다' }).first().click()
  await stack.db.execute(sql`update refund_row_payments set paid_by = null where row_id <= 3`)
}

async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[data-skeleton], .bone')).catch(() => undefined)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(300)
}
