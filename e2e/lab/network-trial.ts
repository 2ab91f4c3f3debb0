import { openBrowser } from './browser.ts'

/**
 * `unshare -rn bun e2e/lab/network-trial.ts`: a page asks for more than the browser has connections for, while
 * interfaces come and go in a network of its own. Prints how its requests ended.
 */
const run = (command: string) => {
  const { exitCode, stderr } = Bun.spawnSync(['sh', '-ec', command])
  if (exitCode !== 0) throw new Error(`${command}: ${stderr}`)
}
run('ip link set lo up')
const page = new Response('<title>A page</title>', { headers: { 'content-type': 'text/html' } })
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const delayMs = Number(new URL(request.url).searchParams.get('delay'))
    if (delayMs) await Bun.sleep(delayMs)
    return page.clone()
  },
})
const browser = await openBrowser()
const visitor = await browser.newPage()
await visitor.goto(`http://127.0.0.1:${server.port}/`)
const asking = visitor.evaluate(async () => {
  const endings: Record<string, number> = {}
  const ask = async (number: number) => {
    const ending = await fetch(`/?delay=${20}&n=${number}`).then(
      () => 'answered',
      () => 'failed',
    )
    endings[ending] = (endings[ending] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: 300 }, (_, number) => ask(number)))
  return endings
})
let isOver = false
void asking.finally(() => {
  isOver = true
})
while (!isOver) {
  run('ip link add here type veth peer name there; ip addr add 10.9.9.1/24 dev here; ip link set here up')
  await Bun.sleep(100)
  run('ip link del here')
}
console.log(JSON.stringify(await asking))
await browser.close()
await server.stop(true)
