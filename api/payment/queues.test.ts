import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueNames } from '../../core/jobs.ts'
import { connectBell } from '../../core/server/queue.ts'
import { type Office, openOffice } from '../../e2e/lab/admin-api.ts'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'

let office: Office
let place: TestDb
let bell: ReturnType<typeof connectBell>
beforeAll(async () => {
  place = await testDb()
  bell = connectBell({ redisUrl: undefined, databaseUrl: place.url }, () => undefined)
  office = await openOffice({ bell })
})
afterAll(async () => {
  await bell.close()
  await Promise.all([office.close(), place.close()])
})

test('lists the jobs that wait in every queue, and since when', async () => {
  const token = await office.login()
  while (!(await bell.ring('draw', { eventNumber: 1 }, { jobId: 'draw-1-waits' })));
  const { status, body } = await office.call('GET', '/api/admin/queues', { token })
  expect(status).toBe(200)
  expect(body.map(({ queue }: { queue: string }) => queue)).toEqual(queueNames)
  expect(body.find(({ queue }: { queue: string }) => queue === 'draw')).toEqual({
    ...{ queue: 'draw', waiting: 1, active: 0, delayed: 0, oldestSeconds: expect.any(Number) },
  })
  expect(body[0]).toEqual({ queue: 'verify', waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 })
})

test('a queue that does not answer is null, not an error', async () => {
  const quiet = await openOffice({ bell: { ring: async () => false } })
  const { status, body } = await quiet.call('GET', '/api/admin/queues', { token: await quiet.login() })
  expect([status, body[0]]).toEqual([
    200,
    { queue: 'verify', waiting: null, active: null, delayed: null, oldestSeconds: null },
  ])
  await quiet.close()
})

test('I19: without a session the list is refused', async () => {
  expect((await office.call('GET', '/api/admin/queues')).status).toBe(401)
})
