import { sql } from 'drizzle-orm'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type SetupItem, setupSteps } from '../../core/admin/setup.ts'
import type { ChainHealth, EndpointHealth } from '../../core/chain/chain-health.ts'
import { localBeacon } from '../../core/draw/local-beacon.ts'
import { eventWalletMessage } from '../../core/event/wallet-proof.ts'
import { mustHaveEvent } from '../../db/event/events.ts'
import { markSent } from '../../db/notify/tell.ts'
import { saveReport } from '../../db/report/health.ts'
import { openAdminApi, openAdminSession, owner } from '../../e2e/lab/admin-api.ts'
import { noteBackupMade } from '../../e2e/lab/backup-notes.ts'
import { addWebhook } from '../../e2e/lab/channels.ts'
import { aContent } from '../../e2e/lab/content.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { testBeacon } from '../../e2e/lab/test-beacon.ts'
import { daysFromNow } from '../../e2e/lab/test-time.ts'

const adminApi = forEachTest(openAdminSession)
const path = '/api/admin'
const inState = (steps: readonly SetupItem[], wanted: SetupItem['state']) =>
  steps.filter(({ state }) => state === wanted).map(({ step }) => step)
const list = async (ask = adminApi.ask) => (await ask('GET', `${path}/setup`)).body
const done = async () => inState((await list()).steps, 'done')

const endpoint = (host: string, state: EndpointHealth['state'] = 'ok'): EndpointHealth => ({
  ...{ host, state, failures: 0, lastFailure: null, logs: 'ranges', rangeBlocks: 1_000 },
})
const hears = (...endpoints: EndpointHealth[]) =>
  saveReport(adminApi.dbOf('worker'), 'chain', {
    ...{ finalHeight: '9', isStalled: false, skewSeconds: 0, isUnsafe: false, areHeadersKnown: true },
    endpoints,
  } satisfies ChainHealth)
const hasKey = (bnb: string, register: 'there' | 'missing' = 'there') =>
  saveReport(adminApi.dbOf('worker'), 'anchorKey', {
    ...{ address: '0x00000000000000000000000000000000000000aa', register, gasPriceWei: '100000000' },
    balanceWei: `${parseEther(bnb)}`,
  })

test('a new place has its password alone; nobody without a session reads the list', async () => {
  expect((await adminApi.call('GET', `${path}/setup`)).status).toBe(401)
  await adminApi.db.execute(sql`update admins set otp_confirmed_at = null`)
  const { isLocal, steps } = await list()
  expect(isLocal).toBe(false)
  expect(steps.map(({ step }: SetupItem) => step)).toEqual(setupSteps)
  expect([inState(steps, 'done'), inState(steps, 'spare')]).toEqual([['password'], []])
})

test('each step is done once it was really done, and open again when it is undone', async () => {
  const { ask, db } = adminApi
  await adminApi.enrol(adminApi.token)
  const settings = (await ask('GET', `${path}/settings`)).body
  const changed = { allowedIps: ['10.1.2.3'], version: settings.version }
  expect((await ask('PATCH', `${path}/settings`, changed)).status).toBe(200)
  expect(await done()).toEqual(['password', 'otp', 'addresses'])

  const wallet = privateKeyToAccount(`0x${'7'.repeat(64)}`)
  const config = { operatorWallet: wallet.address }
  expect((await ask('PATCH', `${path}/raffle/config`, config)).status).toBe(200)
  const signature = await wallet.signMessage({ message: eventWalletMessage(1, wallet.address) })
  expect((await ask('POST', `${path}/raffle/prove-wallet`, { signature })).status).toBe(200)
  const { version } = (await ask('GET', `${path}/raffle/content`)).body
  expect((await ask('PUT', `${path}/raffle/content`, { content: aContent(), version })).status).toBe(200)
  expect(await done()).toEqual(['password', 'otp', 'addresses', 'wallet', 'content'])

  await hears(endpoint('a.one.example'), endpoint('b.two.example'))
  await hasKey('1')
  await noteBackupMade(adminApi.dbOf('backup'), madeAt(0))
  const channel = await addWebhook(db, 'https://hook.example/')
  const [waiting] = await db.execute<{ id: number }>(sql`
    with told as (insert into notifications (kind, subject, facts) values ('test', 'one', '{}') returning id)
    insert into deliveries (notification_id, channel_id) select id, ${channel} from told returning id::int`)
  expect(inState((await list()).steps, 'open')).toEqual(['alert'])
  await markSent(adminApi.dbOf('worker'), waiting?.id ?? 0)
  expect(inState((await list()).steps, 'open')).toEqual([])

  await db.execute(sql`update channels set removed_at = now()`)
  await hasKey('0.00001')
  await hears(endpoint('a.one.example'), endpoint('b.two.example', 'failing'))
  expect(inState((await list()).steps, 'open')).toEqual(['providers', 'anchor', 'alert'])
})

test('once a ticket is sold, the next event’s content is the one that can be written', async () => {
  const { ask, db } = adminApi
  const draft = async () => {
    const { version } = (await ask('GET', `${path}/raffle/next-content`)).body
    return (await ask('PUT', `${path}/raffle/next-content`, { content: aContent(), version })).status
  }
  expect(await draft()).toBe(200)
  expect(await done()).not.toContain('content')
  const event = await mustHaveEvent(db)
  await foldTo(db, event, 1, [paid(event, { block: 1, cents: 900 })])
  expect(await done()).toContain('content')
})

test('from the second event on nothing opens the list again', async () => {
  await withOtherPast(adminApi.db, (tx) => tx.execute(sql`update events set number = 2`))
  expect(inState((await list()).steps, 'open')).toEqual([])
})

test('two hosts of one provider, unsafe endpoints, an old report, a key without gas or contract are not enough', async () => {
  await hears(endpoint('a.one.example'), endpoint('b.one.example'))
  expect(await done()).not.toContain('providers')
  await hears(endpoint('a.one.example'), endpoint('b.two.example'))
  expect(await done()).toContain('providers')
  await adminApi.db.execute(sql`update reports set at = now() - interval '10 minutes'`)
  expect(await done()).not.toContain('providers')
  for (const [bnb, register] of [
    ['0', 'there'],
    ['1', 'missing'],
  ] as const) {
    await hasKey(bnb, register)
    expect(await done()).not.toContain('anchor')
  }
})

test('a backup of last week is not one of these days', async () => {
  await noteBackupMade(adminApi.dbOf('backup'), madeAt(-7))
  expect(await done()).not.toContain('backup')
  await noteBackupMade(adminApi.dbOf('backup'), madeAt(-1))
  expect(await done()).toContain('backup')
})

test('password and second factor are those of the administrator who asks', async () => {
  await adminApi.enrol(adminApi.token)
  await adminApi.addAdmin('second', owner.password)
  const token = await adminApi.login({ username: 'second' })
  expect(inState((await list(adminApi.as(token))).steps, 'done')).toEqual(['password'])
})

test('a passkey is a second factor too', async () => {
  await adminApi.db.execute(sql`
    insert into passkeys (admin_id, name, credential_id, public_key, counter, rp_id)
    select id, 'Phone', 'one', 'x', 0, 'raffle.example' from admins`)
  expect(await done()).toEqual(['password', 'otp'])
})

test('beside a chain on this machine what cannot be there is not needed', async () => {
  const local = await openAdminApi({ beacon: localBeacon(testBeacon.publicKey) })
  const { isLocal, steps } = await list(local.as(await local.login()))
  await local.close()
  expect(isLocal).toBe(true)
  expect(inState(steps, 'spare')).toEqual(['otp', 'addresses', 'providers', 'backup', 'alert'])
  expect(inState(steps, 'open')).toEqual(['wallet', 'anchor', 'content'])
})

const madeAt = (day: number) => {
  const at = daysFromNow(day).toISOString()
  return { name: `blockdraw-${at}.backup.gz.age`, at, isOffSite: true }
}
