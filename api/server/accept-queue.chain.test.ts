import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { closeAll, closeLater, proxied, startApi } from '../../e2e/lab/api-process.ts'

afterEach(closeAll)

test('L2: 2,000 who come while the process is busy wait in its queue, and are all answered', async () => {
  const { databaseUrl } = await proxied()
  const api = await startApi(databaseUrl)
  await api.ready
  const longest = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  const count = Math.min(2_000, longest)
  expect(count, 'this system lets more wait than the runtime asks for').toBeGreaterThan(512)
  // Stopped, it takes nobody: whoever the kernel has no room for would not be connected before it goes on.
  api.process.kill('SIGSTOP')
  const sockets = await Promise.all(Array.from({ length: count }, () => connected(api.port)))
  api.process.kill('SIGCONT')
  const answers = await Promise.all(
    sockets.map(async (socket) => {
      const answer = new Promise<string>((resolve, reject) => {
        socket.once('data', (chunk) => resolve(`${chunk}`.slice(0, 12)))
        socket.once('close', () => reject(new Error('The connection was closed without an answer.')))
      })
      socket.write('GET /api/raffle/stats HTTP/1.1\r\nHost: localhost\r\n\r\n')
      return answer
    }),
  )
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200']))
})

async function connected(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  closeLater(() => socket.destroy())
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return socket
}
