import { expect, test } from 'vitest'
import { freePort } from './ports.ts'
import { expectUsable } from './system.ts'

test('a database of the environment that cannot be used is named, without its password', async () => {
  const port = await freePort()
  await expect(expectUsable(`postgres://me:hidden@127.0.0.1:${port}/x`, undefined)).rejects.toThrow(
    `DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
  )
})
