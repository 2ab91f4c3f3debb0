import { sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { refundWalletMessage } from '../../../core/event/wallet-proof.ts'
import { listChanges } from '../../../db/event/changes.ts'
import { getRefundWallet } from '../../../db/refund/refund-wallets.ts'
import { forEachTest } from '../../lab/opened.ts'
import { withOtherPast } from '../../lab/other-past.ts'
import { openDesk } from '../../lab/refund-desk.ts'
import { openSafe, type Safe } from '../../lab/safe.ts'
import { until } from '../../lab/until.ts'

const desk = forEachTest(openDesk)
let safe: Safe

beforeEach(async () => {
  safe = await openSafe(desk.chain.url)
  await desk.settle()
})

const key = privateKeyToAccount(`0x${'51'.repeat(32)}`)
const add = (body: object) => desk.post('/refunds/wallets', body)
/** As a worker does it: what the wallet sent before is read while the call waits. */
async function addAndRead(body: { wallet: Address; message: string; signature: string }) {
  const adding = add(body)
  const wallet = body.wallet.toLowerCase() as Address
  await until(() => getRefundWallet(desk.db, wallet), 'the wallet on record')
  await desk.watch()
  return adding
}
const publicWallets = async () =>
  (await listChanges(desk.db)).filter(({ field }) => field === 'ownWallet').map(({ to }) => to)

test('a Safe as operator wallet is proven by what two of its owners signed, not by one', async () => {
  await withOtherPast(desk.db, (tx) => tx.execute(sql`update events set operator_wallet = ${safe.address}`))
  await desk.db.execute(sql`insert into operator_wallets (address) values (${safe.address})`)
  const { walletProofMessage: message } = (await desk.get('/raffle/config')).body
  const prove = (signature: string) => desk.post('/raffle/prove-wallet', { signature })
  const refused = await prove(await safe.signMessage(message, [1]))
  expect([refused.status, refused.body]).toMatchObject([422, { code: 'INVALID_VALUE', field: 'signature' }])
  expect((await prove(await key.signMessage({ message }))).body.code).toBe('INVALID_VALUE')
  expect((await desk.get('/raffle/config')).body.walletProven).toBe(false)
  expect((await prove(await safe.signMessage(message))).status).toBe(200)
  expect((await desk.get('/raffle/config')).body.walletProven).toBe(true)
  expect(await publicWallets()).toEqual([expect.stringContaining(getAddress(safe.address))])
})

test('a refund wallet is registered by its own signature, a Safe too, once and in public', async () => {
  const message = refundWalletMessage(1, key.address)
  const signature = await key.signMessage({ message })
  const added = await addAndRead({ wallet: key.address, message, signature })
  expect([added.status, added.body]).toEqual([
    200,
    { wallet: key.address, role: 'refund', registerOnly: false, isRead: true },
  ])
  expect((await add({ wallet: key.address, message, signature })).body).toEqual(added.body)
  const text = refundWalletMessage(1, safe.address)
  const joint = await addAndRead({
    ...{ wallet: safe.address, message: text },
    signature: await safe.signMessage(text),
  })
  expect(joint.body).toMatchObject({ wallet: getAddress(safe.address), role: 'refund' })
  expect(await publicWallets()).toEqual([
    expect.stringContaining(getAddress(safe.address)),
    expect.stringContaining(key.address),
  ])
  const audit = await desk.db.execute(
    sql`select outcome, after ->> 'wallet' as wallet from audit where action = 'refund.wallet' order by id limit 1`,
  )
  expect(audit).toEqual([{ outcome: '200', wallet: key.address }])
})

test('no refund wallet without its own signature of this text, and none that nobody can hold', async () => {
  const message = refundWalletMessage(1, key.address)
  const signature = await key.signMessage({ message })
  const refusal = async (body: object) => {
    const { status, body: answer } = await add({ wallet: key.address, message, signature, ...body })
    return [status, answer.code, answer.field]
  }
  const stranger = privateKeyToAccount(`0x${'52'.repeat(32)}`)
  const foreign = await stranger.signMessage({ message })
  expect(await refusal({ signature: foreign })).toEqual([422, 'INVALID_VALUE', 'signature'])
  expect(await refusal({ message: `${message} ` })).toEqual([422, 'INVALID_VALUE', 'message'])
  expect(await refusal({ wallet: stranger.address })).toEqual([422, 'INVALID_VALUE', 'message'])
  const { token } = (await desk.get('/refunds')).body.summary
  const ofToken = refundWalletMessage(1, token)
  expect(await refusal({ wallet: token, message: ofToken })).toEqual([422, 'INVALID_VALUE', 'signature'])
  await desk.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  expect(await refusal({})).toEqual([403, 'REAUTH_REQUIRED', undefined])
})
