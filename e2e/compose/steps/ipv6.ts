import { networkInterfaces } from 'node:os'
import { report } from '../crowd.ts'
import { expect, type Stack } from '../stack.ts'
import { claimAddress } from './sale.ts'

/** A visitor by IPv6 is known by the own address, or nobody is let in that way. */
export async function takesIpv6(stack: Stack): Promise<string> {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const address =
    own.find(({ family, internal, address }) => family === 'IPv6' && !internal && !/^fe80/.test(address))
      ?.address ?? '::1'
  const siteUrl = `http://[${address}]:${new URL(stack.siteUrl).port}`
  const answered = await report(siteUrl, `0x${'ef'.repeat(32)}`).catch(() => undefined)
  if (!answered) return `IPv6: not published on ${address}`
  const seen = await claimAddress(stack, 'ef')
  expect(seen.includes(':'), `a visitor by IPv6 (${address}) is taken for ${seen}`)
  return `IPv6: a visitor from ${address} is known as ${seen}`
}
