import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { walletOpenings } from '../../db/schema/index.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin, refusals } from '../lab/admin-verbs.ts'
import { payByHand } from '../lab/pay.ts'
import { openStory, soon } from '../lab/story.ts'
import { usdt } from '../lab/usdt.ts'

const story = openStory({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } })

/** What the chain says. */
const balanceOf = async (wallet: Address): Promise<bigint> =>
  BigInt(
    await rpc<Hex>(story.stack.chain.url, 'eth_call', [
      {
        to: usdt,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] }),
      },
      'latest',
    ]),
  )

async function file(page: Page, button: string): Promise<{ name: string; lines: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 45_000 }),
    page.getByRole('button', { name: button }).click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.slice(1).trimEnd().split('\r\n') }
}

/** Whole units, by account number. */
function balances(lines: readonly string[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const line of lines.slice(1)) {
    const cells = line.split(',')
    const account = cells[6] ?? ''
    sums[account] = (sums[account] ?? 0n) + BigInt(cells[13] ?? 0)
  }
  return sums
}

test('the journal of the month is downloaded in the administrator’s language, and its accounts add up', async () => {
  const { login, call } = createAdminClient(() => story.stack.url, admin)
  const token = await login()
  // What comes before a wallet's opening balance is booked as brought in.
  await soon(async () => (await story.stack.db.select().from(walletOpenings)).length).toBe(1)
  const hash = await payByHand(story.stack.chain.url, await story.account(1), 33)
  await soon(async () => (await call('GET', '/api/raffle/solvency')).body.owed.credited).toBe(
    `${33n * 10n ** 18n}`,
  )
  const { page } = await story.visit({
    ...{ path: '/admin#data', allow: refusals, withWallet: false },
    prepare: (context) =>
      context.addInitScript((token) => {
        if (location.protocol === 'http:') localStorage.setItem('adminToken', token)
      }, token),
  })

  const korean = await file(page, '분개장 CSV 받기')
  expect(korean.name).toMatch(/^journal-\d{4}-\d\d-01-\d{4}-\d\d-\d\d-분개장\.csv$/)
  expect(korean.lines[0]).toMatch(/^전표,시각 \(UTC\),블록,거래 해시,구분,/)
  const sold = korean.lines.filter((line) => line.includes(hash))
  expect(sold.map((line) => [line.split(',')[4], line.split(',')[6]])).toEqual([
    ['티켓 판매', '1000'],
    ['티켓 판매', '2100'],
  ])
  const sums = balances(korean.lines)
  expect(Object.values(sums).reduce((sum, units) => sum + units, 0n)).toBe(0n)
  expect(sums['1000']).toBe(await balanceOf(operatorAccount))
  expect(sums['2100']).toBe(-33n * 10n ** 18n)

  await page.evaluate(() => localStorage.setItem('blockdraw:admin-language', 'en'))
  await page.reload()
  const english = await file(page, 'Get the journal as CSV')
  expect(english.name).toMatch(/^journal-[\d-]+\.csv$/)
  expect(english.lines[0]).toMatch(/^Entry,Time \(UTC\),Block,Transaction hash,Kind,/)
  expect(english.lines.filter((line) => /[가-힣]/.test(line))).toEqual([])
  expect(balances(english.lines)).toEqual(sums)

  const [tickets] = await Promise.all([
    page.waitForEvent('download', { timeout: 20_000 }),
    page.getByRole('button', { name: 'Get Tickets as Excel' }).click(),
  ])
  expect(tickets.suggestedFilename()).toBe('tickets-event-1.xlsx')

  await page.getByLabel('Last day').fill('2021-01-01')
  await page.getByText('The last day cannot be before the first day.').waitFor()
  expect(await page.getByRole('button', { name: 'Get the journal as CSV' }).count()).toBe(0)
})
