import { beforeAll, expect, test } from 'vitest'
import { openClaims } from '../../e2e/lab/claims.ts'
import { verifyCommand } from '../../infra/cli/verify/command.ts'

const { adminApi, world, toClaims } = await openClaims()

beforeAll(toClaims)

test('I11: bun run verify checks the draw against the site and an endpoint', async () => {
  const server = Bun.serve({ port: 0, fetch: (request, it) => adminApi.app.handle(request, it) })
  const lines: string[] = []
  const site = `http://localhost:${server.port}`
  const args = [
    '--site',
    site,
    '--event',
    '1',
    '--rpc',
    world.url,
    '--full',
    '--price',
    '3',
    '--wallet',
    world.accounts[0] as string,
  ]
  const code = await verifyCommand(args, (line) => lines.push(line))
  await server.stop(true)
  // Without the sale's dates and an anchor there is more to check than this can.
  expect(lines.join('\n')).toContain('Incomplete: nothing contradicts this draw, but 2 of 14 steps')
  expect(lines.filter((line) => line.startsWith('ok'))).toHaveLength(12)
  expect(code).toBe(2)
})
