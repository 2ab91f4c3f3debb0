import { expect, test } from 'vitest'
import { operatorAccount } from '../../infra/local/chain.ts'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin, arrive, refusals } from '../lab/admin-verbs.ts'
import { finished } from '../lab/desk-story.ts'
import { payByHand } from '../lab/pay.ts'
import { connectOperator, prepare, sign } from '../lab/refund-verbs.ts'
import { openStory } from '../lab/story.ts'
import { until } from '../lab/until.ts'
import { transfersBetween, usdtUnits } from '../lab/usdt.ts'

const story = openStory({
  demoWallet: true,
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})

test('an operator without an extension refunds from the dashboard with the Demo Wallet', async () => {
  const { url, chain } = story.stack
  const { call, login } = createAdminClient(() => url, admin)
  const token = await login()
  const payer = await story.account(3)
  await payByHand(chain.url, payer, 2)
  await until(
    async () => (await call('GET', '/api/admin/refunds?event=1')).body.summary.leftover.totalRefunds === 1,
    'what bought no ticket is owed',
  )
  const { page } = await story.visit({
    ...{ path: '/admin#refund', withWallet: false, allow: refusals },
    prepare: (context) =>
      context.addInitScript((token) => {
        if (location.protocol === 'http:') localStorage.setItem('adminToken', token)
      }, token),
  })
  await arrive(page)
  await prepare(page)
  await connectOperator(page)
  await sign(page)
  const asks = page.getByRole('dialog', { name: 'Approve transaction' })
  const hasPaid = async () =>
    (await transfersBetween(chain.url, { from: operatorAccount, to: payer })).length > 0
  // One window for each thing that the wallet is asked for: an allowance, and the payment.
  await until(async () => {
    if (await asks.isVisible()) await asks.getByRole('button', { name: 'Approve' }).click()
    return hasPaid()
  }, 'the refund is paid')
  await finished(page)
  const [paid] = await transfersBetween(chain.url, { from: operatorAccount, to: payer })
  expect(paid?.units).toBe(usdtUnits(2))
})
