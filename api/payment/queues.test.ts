import { expect, test } from 'vitest'
import { queueNames } from '../../core/jobs.ts'
import { connectJobs } from '../../core/server/queue.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { forFile } from '../../e2e/lab/opened.ts'

const place = await forFile(testDb())
const jobs = await forFile(connectJobs({ redisUrl: undefined, databaseUrl: place.url }, () => undefined))
const adminApi = await forFile(openAdminApi({ jobs }))

test('shows the waiting jobs of every queue, and since when', async () => {
  const token = await adminApi.login()
  while (!(await jobs.enqueue('draw', { eventNumber: 1 }, { jobId: 'draw-1-waits' })));
  const { status, body } = await adminApi.call('GET', '/api/admin/queues', { token })
  expect(status).toBe(200)
  expect(body.map(({ queue }: { queue: string }) => queue)).toEqual(queueNames)
  expect(body.find(({ queue }: { queue: string }) => queue === 'draw')).toEqual({
    ...{ queue: 'draw', waiting: 1, active: 0, delayed: 0, oldestSeconds: expect.any(Number) },
  })
  expect(body[0]).toEqual({ queue: 'verify', waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 })
})

test('a queue that cannot be asked is null, not an error', async () => {
  const quiet = await openAdminApi({ jobs: { enqueue: async () => false } })
  const { status, body } = await quiet.call('GET', '/api/admin/queues', { token: await quiet.login() })
  expect([status, body[0]]).toEqual([
    200,
    { queue: 'verify', waiting: null, active: null, delayed: null, oldestSeconds: null },
  ])
  await quiet.close()
})
