import { freePort } from '../../../../infra/local/ports.ts'
import { until } from '../../../lab/until.ts'
import { run, untilUp } from '../engine.ts'
import { expect, type Stack, say } from '../stack.ts'

const watchers = ['prometheus', 'alertmanager']

/** Prometheus reads ours by the product's rules, and a receiver outside gets what fires: WorkersGone, as they are stopped. */
export async function tellsTheReceiver(stack: Stack): Promise<string> {
  const received: string[] = []
  const receiver = Bun.serve({
    ...{ port: 0, hostname: '0.0.0.0' },
    fetch: async (request) => {
      const { alerts } = (await request.json()) as { alerts: { labels: { alertname: string } }[] }
      received.push(...alerts.map(({ labels }) => labels.alertname))
      return new Response()
    },
  })
  const gateway = await gatewayOf(stack)
  const port = await freePort()
  const watch = stack.with({
    ALERT_PAGE_URL: `http://${gateway}:${receiver.port}/`,
    PROMETHEUS_PORT: `${port}`,
    ALERTMANAGER_PORT: `${await freePort()}`,
  })
  const began = performance.now()
  try {
    await watch.compose('--profile', 'monitoring', 'up', '-d', '--no-build', '--no-deps', ...watchers)
    const seen = async () => (await readJobs(port)).join(' ')
    const [apis, workers] = [await stack.plain.containers('api'), await stack.plain.containers('worker')]
    const wanted = [...apis.map(() => 'blockdraw-api'), ...workers.map(() => 'blockdraw-worker')]
    let jobs = ''
    await untilUp(
      async () => {
        jobs = await seen()
        return jobs === wanted.join(' ')
      },
      `Prometheus reads ${wanted.join(' ')}`,
    ).catch(async (error) => {
      throw new Error(`${error}; it reads ${jobs}\n${await readTrouble(port)}`)
    })
    await stack.plain.compose('stop', 'worker')
    await until(
      () => received.includes('WorkersGone'),
      () => `WorkersGone among ${received}`,
      300_000,
    )
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    say(`alert: Prometheus reads ${jobs}`)
    return `alert: the receiver got ${[...new Set(received)].join(', ')} within ${seconds} s of their start`
  } catch (error) {
    console.error(await watch.compose('logs', '--tail=20', ...watchers).catch(String))
    throw error
  } finally {
    await watch.compose('--profile', 'monitoring', 'rm', '-s', '-f', ...watchers)
    await stack.plain.compose('up', '-d', '--no-build', '--no-deps', 'worker')
    await stack.ready()
    await receiver.stop(true)
  }
}

/** The address that containers with a way out reach this machine by. */
async function gatewayOf({ project, dir }: Stack): Promise<string> {
  const format = '{{range .IPAM.Config}}{{.Gateway}} {{end}}'
  const out = await run(dir, ['docker', 'network', 'inspect', '-f', format, `${project}_tell`])
  const gateway = out.split(/\s+/).find((address) => /^\d+\.\d+\.\d+\.\d+$/.test(address)) ?? ''
  expect(gateway, `the network has no gateway: ${out}`)
  return gateway
}

/** The job of each place that Prometheus reads with success. */
async function readJobs(port: number): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=up%3D%3D1`)
  const { data } = (await answer.json()) as { data: { result: { metric: { job: string } }[] } }
  return data.result.map(({ metric }) => metric.job).sort()
}

/** What is wrong with the places that it does not read. */
async function readTrouble(port: number): Promise<string> {
  type Target = { scrapeUrl: string; lastError: string }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/targets?state=active`)
  const { data } = (await answer.json()) as { data: { activeTargets: Target[] } }
  return data.activeTargets.map(({ scrapeUrl, lastError }) => `${scrapeUrl} ${lastError}`).join('\n')
}
