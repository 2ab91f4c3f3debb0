import { networkInterfaces } from 'node:os'
import { report } from '../crowd.ts'
import { expect, type Stack } from '../stack.ts'
import { claimAddress } from './sale.ts'

const scale = ['--scale', 'api=2', '--scale', 'worker=1']

/** With ipv6.yaml a visitor by IPv6 is known by the own address; without it nobody comes in that way. */
export async function takesIpv6(stack: Stack): Promise<string> {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const found = own.find((one) => one.family === 'IPv6' && !one.internal && !/^fe80/.test(one.address))
  if (!found) return 'IPv6: not tried, as this machine has no address of it'
  const siteUrl = `http://[${found.address}]:${new URL(stack.siteUrl).port}`
  const visit = (pair: string) => report(siteUrl, `0x${pair.repeat(32)}`).catch(() => undefined)
  expect(!(await visit('e0')), 'IPv6 is published without ipv6.yaml')

  const more = stack.withIpv6(found.address)
  await stack.plain.compose('down')
  try {
    const refused = await more.compose('up', '-d', '--no-build', ...scale).then(
      () => undefined,
      (error: Error) => error.message.trim().split('\n').at(-1),
    )
    if (refused) return `IPv6: this engine cannot: ${refused}`
    await stack.ready(more)
    expect(await visit('ef'), `nobody answers on ${siteUrl}`)
    const seen = await claimAddress(stack, 'ef')
    expect(seen.includes(':'), `a visitor by IPv6 (${found.address}) is taken for ${seen}`)
    return `IPv6: a visitor from ${found.address} is known as ${seen}`
  } finally {
    await more.compose('down')
    await stack.plain.compose('up', '-d', '--no-build', ...scale)
    await stack.ready()
  }
}
