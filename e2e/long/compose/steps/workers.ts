import { buy, report } from '../crowd.ts'
import { expect, type Stack } from '../stack.ts'
import { claimAddress } from './sale.ts'

/** Four workers, one of them killed while eight wallets buy; the address that a CDN tells is believed. */
export async function survivesAKilledWorker(stack: Stack): Promise<string> {
  const { behindCdn, place } = stack
  await behindCdn.compose('up', '-d', '--no-build', '--scale', 'api=2', '--scale', 'worker=4')
  await stack.ready(behindCdn)
  await report(stack.siteUrl, `0x${'cd'.repeat(32)}`, '6.6.6.6, 198.51.100.7')
  const address = await claimAddress(stack, 'cd')
  expect(address === '198.51.100.7', `the address that the CDN tells was not believed: ${address}`)

  /** One after the other: the transactions of one wallet have consecutive nonces. */
  const buyThrice = async (account: number) => [
    await buy(place, account, 3),
    await buy(place, account, 3),
    await buy(place, account, 3),
  ]
  const [victim = ''] = await behindCdn.containers('worker')
  const buyers = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(buyThrice))
  buyers.catch(() => undefined) // awaited below
  await Bun.sleep(1_000)
  await behindCdn.kill(victim)
  const bought = (await buyers).flat()
  stack.bought.push(...bought.map(({ hash }) => hash))
  const slowest = Math.max(...bought.map(({ seconds }) => seconds))
  return `4 workers, one killed in mid-load: ${bought.length} purchases, slowest ${slowest.toFixed(1)} s`
}
