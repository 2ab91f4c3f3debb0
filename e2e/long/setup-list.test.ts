import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { type Hex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin, agree, arrive, fieldDate, fillLogin, panel, refusals } from '../lab/admin-verbs.ts'
import { aContent } from '../lab/content.ts'
import { openStory, soon } from '../lab/story.ts'

const story = openStory({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } })
const { call, login } = createAdminClient(() => story.stack.url, admin)
const list = (page: Page, name = '첫 설정'): Locator => page.getByRole('region', { name })
const stateOf = (page: Page, step: string) =>
  soon(() => page.locator(`[data-step=${step}]`).getAttribute('data-state'))

async function enter(width: number): Promise<Page> {
  const { page } = await story.visit({ path: '/admin-login', allow: refusals, withWallet: false, width })
  await fillLogin(page)
  await arrive(page)
  await list(page).waitFor()
  return page
}

test('the first tab lists what is left to do; each button leads to its place, and what is done there is marked', async () => {
  await login()
  const page = await enter(1280)
  await list(page).getByText('10개 중 1개 완료').waitFor()
  expect(await list(page).getByRole('listitem').count()).toBe(10)

  // By keyboard alone: the button leads to the field, and typing goes on there.
  await list(page).getByRole('button', { name: '추첨 일시: 날짜 정하기' }).focus()
  await page.keyboard.press('Enter')
  const date = panel(page).getByLabel('추첨 일시 (UTC)', { exact: true })
  await soon(() => date.evaluate((field) => field === document.activeElement)).toBe(true)
  await date.fill(fieldDate(Date.now() + 9 * 86_400_000))
  await page.getByRole('button', { name: '설정 저장' }).click()
  await agree(page, '변경 저장')
  await stateOf(page, 'date').toBe('done')

  await list(page).getByRole('button', { name: '운영자 지갑 소유 증명: 지갑으로 가기' }).click()
  await soon(() => page.evaluate(() => document.activeElement?.closest('section')?.id)).toBe(
    'operator-wallet',
  )
  await proveWallet()
  await stateOf(page, 'wallet').toBe('done')

  await list(page).getByRole('button', { name: '이벤트 내용: 내용 쓰기' }).click()
  await page.waitForURL('**/admin#event')
  // The running event's, not the draft of the next one above it; its form is open.
  const isWriting = () =>
    page.evaluate(() => document.activeElement?.closest('#content-open')?.querySelector('form') != null)
  await soon(isWriting).toBe(true)
  const { version } = (await call('GET', '/api/admin/raffle/content')).body
  expect((await call('PUT', '/api/admin/raffle/content', { content: aContent(), version })).status).toBe(200)
  await page.goBack()
  await stateOf(page, 'content').toBe('done')

  await list(page).getByRole('button', { name: '방법 보기' }).click()
  await list(page).getByText('bun run backup').waitFor()
  await makeBackup()
  await stateOf(page, 'backup').toBe('done')
  await list(page).getByText('10개 중 5개 완료').waitFor()
}, 120_000)

test('an administrator puts the list away, finds it after a reload, and reads it in English on a phone', async () => {
  const page = await enter(390)
  await list(page).getByRole('button', { name: '접어 두기' }).click()
  expect(await list(page).getByRole('listitem').count()).toBe(0)
  await page.reload()
  await arrive(page)
  const open = list(page).getByRole('button', { name: '펼치기' })
  expect(await open.getAttribute('aria-expanded')).toBe('false')
  await page.evaluate(() => localStorage.setItem('blockdraw:admin-language', 'en'))
  await page.reload()
  await arrive(page)
  await list(page, 'First set-up').getByRole('button', { name: 'Show' }).click()
  const rows = list(page, 'First set-up').getByRole('listitem')
  expect(await rows.count()).toBe(10)
  expect(await list(page, 'First set-up').innerText()).not.toMatch(/[가-힣]/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
}, 60_000)

/** The wallet of the open event signs, as in the dashboard. */
async function proveWallet(): Promise<void> {
  const { walletProofMessage } = (await call('GET', '/api/admin/raffle/config')).body
  const message = [toHex(walletProofMessage), operatorAccount]
  const signature = await rpc<Hex>(story.stack.chain.url, 'personal_sign', message)
  expect((await call('POST', '/api/admin/raffle/prove-wallet', { signature })).status).toBe(200)
}

/** As `bun run backup FILE` does it. */
async function makeBackup(): Promise<void> {
  const file = join(tmpdir(), `blockdraw-setup-${process.pid}.backup.gz`)
  const command = [process.execPath, resolve(import.meta.dirname, '../../infra/cli/backup.ts'), file]
  const env = { PATH: process.env.PATH, DATABASE_URL: story.stack.databaseUrl }
  const { exitCode, stderr } = Bun.spawnSync(command, { env })
  rmSync(file, { force: true })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}
