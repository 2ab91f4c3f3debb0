import { expect, test } from 'vitest'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const api = forEachTest(openAdminApi)

const sales = (headers: Record<string, string> = {}) => api.send('GET', '/api/raffle/sales/1', { headers })

async function sell(): Promise<void> {
  await foldTo(api.db, api.event, 90, [paid(api.event, { block: 70, cents: 900 })])
  await api.deps.state.refresh()
}

test('everybody is told how the sale went; what is known is answered without a question to the database', async () => {
  const before = await sales()
  expect(await before.json()).toMatchObject({
    eventNumber: 1,
    tickets: [],
    minTickets: 100,
  })
  await sell()
  const after = await sales()
  expect(await after.json()).toMatchObject({ bucketSeconds: 60, tickets: [0, 3] })
  const etag = after.headers.get('etag') ?? ''
  expect(etag).not.toBe(before.headers.get('etag'))

  const asked = { select: api.deps.db.select, transaction: api.deps.db.transaction }
  const gone = () => {
    throw new Error('the database was asked')
  }
  Object.assign(api.deps.db, { select: gone, transaction: gone })
  try {
    expect((await sales({ 'if-none-match': etag })).status).toBe(304)
    expect((await sales()).headers.get('etag')).toBe(etag)
    expect((await api.send('GET', '/api/raffle/sales/2')).status).toBe(500)
  } finally {
    Object.assign(api.deps.db, asked)
  }
  expect((await api.call('GET', '/api/raffle/sales/2')).status).toBe(404)
  expect((await api.call('GET', '/api/raffle/sales/x')).status).toBe(404)
})

test('its figures are for administrators', async () => {
  await sell()
  expect((await api.call('GET', '/api/admin/raffle/sales')).status).toBe(401)
  const { body } = await api.as(await api.login())('GET', '/api/admin/raffle/sales')
  expect(body).toMatchObject({
    ...{ eventNumber: 1, ticketsSold: 3, minTickets: 100 },
    sizes: [{ least: 1, wallets: 0 }, { least: 2, wallets: 1, tickets: 3 }, {}, {}, {}],
    money: [{ state: 'confirming' }, { state: 'credited', units: `${9n * 10n ** 18n}` }, {}, {}, {}],
  })
})
