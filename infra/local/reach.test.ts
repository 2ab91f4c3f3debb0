import { afterAll, expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { checkWitnesses } from '../../core/server/witnesses.ts'
import { freePort, reachServices } from './ports.ts'

const rpcServer = Bun.serve({
  port: 0,
  fetch: () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x61' }),
})
afterAll(() => rpcServer.stop(true))

test('a service of the environment that cannot be used is named, without its password', async () => {
  const port = await freePort()
  const database = reachServices(parseEnv({ DATABASE_URL: `postgres://me:hidden@127.0.0.1:${port}/x` }))
  await expect(database).rejects.toThrow(
    `DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
  )
  const redis = reachServices(parseEnv({ REDIS_URL: `redis://:hidden@127.0.0.1:${port}` }))
  await expect(redis).rejects.toThrow(`REDIS_URL cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`)
})

test('an endpoint of another chain stops the start, a silent one does not', async () => {
  const RPC_URLS = `http://127.0.0.1:${await freePort()},http://127.0.0.1:${rpcServer.port}`
  await expect(reachServices(parseEnv({ RPC_URLS }))).rejects.toThrow(
    'RPC_URLS: endpoint 2 serves chain 97, but CHAIN_ID is 56.',
  )
  await reachServices(parseEnv({ RPC_URLS, CHAIN_ID: '97' }))
})

test('a single provider of BNB Smart Chain stops the start, unless RPC_UNSAFE says so', async () => {
  const silent = { RPC_URLS: `http://127.0.0.1:${await freePort()}` }
  const single = { RPC_URLS: `http://127.0.0.1:${rpcServer.port}`, CHAIN_ID: '56' }
  await expect(reachServices(parseEnv(silent))).rejects.toThrow(/^RPC_URLS names nodes of this machine/)
  await expect(checkWitnesses(parseEnv(single))).rejects.toThrow(/^RPC_URLS must name .* RPC_UNSAFE=true/)
  await reachServices(parseEnv({ ...silent, RPC_UNSAFE: 'true' }))
})
