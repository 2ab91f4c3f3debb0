import { expect, test } from 'vitest'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const adminApi = forEachTest(() => openAdminSession({ clock: passingClock() }))

test('a manual hash times out without a worker, and a bad one is refused before the wait', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const send = (transactionHash: unknown) =>
    adminApi.ask('POST', '/api/admin/blockchain/process-transaction', { transactionHash })
  for (const bad of ['', ' ', '0x12', null, 7, `${hash}00`, {}])
    expect((await send(bad)).body.code).toBe('INVALID_TX_HASH')
  const payment = paid(adminApi.event, { block: 3, cents: 9900 })
  await foldTo(adminApi.db, adminApi.event, 5, [payment])
  expect(await send(` ${payment.transactionHash.toUpperCase()} `)).toMatchObject({
    status: 200,
    body: { ticketsCreated: 33 },
  })
  expect(await send(payment.transactionHash)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_PROCESSED' },
  })
  expect(await send(hash)).toMatchObject({ status: 503, body: { code: 'RPC_UNAVAILABLE' } })
})

test('payments are listed in pages of 100 and can be searched', async () => {
  const list = Array.from({ length: 120 }, (_, i) =>
    paid(adminApi.event, {
      block: 3,
      cents: i === 7 ? 100 : 300,
      index: i,
      ...(i === 5 && { payer: `0x${'c3'.repeat(20)}` as const }),
    }),
  )
  await foldTo(adminApi.db, adminApi.event, 5, list)
  const get = (query: string) => adminApi.ask('GET', `/api/admin/payments?${query}`).then(({ body }) => body)
  const first = await get('')
  expect(first).toHaveLength(100)
  const rest = await get(`cursor=${first.at(-1).id}`)
  expect(rest).toHaveLength(20)
  expect(new Set([...first, ...rest].map((row: { id: number }) => row.id)).size).toBe(120)
  expect(await get('reason=underpaid')).toMatchObject([
    { status: 'rejected', amount: 100, ticketNumber: null },
  ])
  expect(await get(`wallet=0x${'C3'.repeat(20)}`)).toHaveLength(1)
  expect(await get(`hash=${list[9]?.transactionHash}`)).toHaveLength(1)
  expect(await get('event=2')).toEqual([])
  for (const bad of ['cursor=x', 'status=x', 'reason=x', 'event=-1', 'cursor=99999999999999999999'])
    expect((await get(bad)).code).toBe('INVALID_VALUE')
  expect((await get('wallet=0x12')).code).toBe('INVALID_WALLET')
  const { body } = await adminApi.ask('GET', '/api/admin/pipeline')
  expect(body).toMatchObject({
    scan: { height: 5 },
    claims: { received: 0, confirming: 0 },
    withoutTicket: { underpaid: 1 },
  })
})
