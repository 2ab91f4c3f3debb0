import { type Hex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin, arrive, fillLogin, openTab, panel } from '../lab/admin-verbs.ts'
import { sendMined } from '../lab/chain-verbs.ts'
import { payByHand } from '../lab/pay.ts'
import { openStory, soon } from '../lab/story.ts'
import { mintData, transferData, usdt, usdtGas } from '../lab/usdt.ts'

const story = openStory({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } })
const { call, login } = createAdminClient(() => story.stack.url, admin)
const fromOperator = (data: Hex) =>
  sendMined(story.stack.chain.url, { from: operatorAccount, to: usdt, data, gas: usdtGas })

/** Money counts once its wallet has signed. */
async function proveWallet(): Promise<void> {
  const { walletProofMessage } = (await call('GET', '/api/admin/raffle/config')).body
  const signature = await rpc<Hex>(story.stack.chain.url, 'personal_sign', [
    toHex(walletProofMessage),
    operatorAccount,
  ])
  expect((await call('POST', '/api/admin/raffle/prove-wallet', { signature })).status).toBe(200)
}

test('moving out one unit more than the surplus turns the line to short and names the transaction', async () => {
  await login()
  await proveWallet()
  const { page } = await story.visit({ withWallet: false, width: 390, path: '/#buy' })
  await payByHand(story.stack.chain.url, await story.account(1), 99)
  await fromOperator(mintData(operatorAccount, unitsOf(50_00)))
  const line = page.locator('[data-cover]')
  await line.scrollIntoViewIfNeeded()
  const sums = async () =>
    Promise.all(['held', 'owed', 'beyond'].map((name) => line.locator(`[data-${name}]`).innerText()))
  await soon(sums).toEqual(['149 USDT', '99 USDT', '50 USDT'])
  expect(await line.getAttribute('data-cover')).toBe('covered')

  // All of the surplus may go: the line stays green, and says where it went.
  const stranger = await story.account(7)
  const first = await fromOperator(transferData(stranger, unitsOf(50_00)))
  await soon(sums).toEqual(['99 USDT', '99 USDT', '0 USDT'])
  expect(await line.getAttribute('data-cover')).toBe('covered')
  await line.locator('[data-others] summary').click()
  await line.locator(`[data-others] a[href$="${first}"]`).waitFor()

  const last = await fromOperator(transferData(stranger, 1n))
  await page.locator('[data-cover=short]').waitFor()
  expect(await sums()).toEqual(['98.99 USDT', '99 USDT', '0.000000000000000001 USDT'])
  expect(await line.locator('[data-point] a').getAttribute('href')).toMatch(new RegExp(`${last}$`))

  const { page: desk } = await story.visit({ path: '/admin-login', withWallet: false })
  await fillLogin(desk)
  await arrive(desk)
  await desk.getByRole('alert').getByText('지급할 금액보다 0.000000000000000001 USDT 부족합니다.').waitFor()
  await openTab(desk, '블록체인 관리')
  const card = panel(desk).getByRole('region', { name: '보유 금액과 지급할 금액' })
  await card.getByText('부족의 원인').waitFor()
  await card.getByRole('img', { name: '최저 −0.000000000000000001 USDT' }).waitFor()

  // Put back, it is covered again, and the lowest point stays.
  await fromOperator(mintData(operatorAccount, unitsOf(1_00)))
  await page.locator('[data-cover=covered]').waitFor()
  expect(await line.locator('[data-point]').innerText()).toContain('0.000000000000000001 USDT missing')
})
