import { beforeAll, expect, test } from 'vitest'
import { openClaims } from '../../e2e/lab/claims.ts'
import { verifyCommand } from '../../infra/cli/verify/command.ts'

const { adminApi, world, toClaims } = await openClaims()

beforeAll(toClaims)

test('I11: bun run verify checks the draw against the site and an endpoint', async () => {
  const server = Bun.serve({ port: 0, fetch: (request, it) => adminApi.app.handle(request, it) })
  const lines: string[] = []
  const terms = (await world.event()).terms as string
  const site = ['--site', `http://localhost:${server.port}`, '--event', '1']
  const code = await verifyCommand([...site, '--rpc', world.url, '--terms', terms], (line) => lines.push(line))
  await server.stop(true)
  // Nobody anchored anything here.
  expect(lines.filter((line) => line.startsWith('?'))).toHaveLength(2)
  expect(lines.filter((line) => line.startsWith('ok'))).toHaveLength(12)
  expect(code).toBe(2)
})
