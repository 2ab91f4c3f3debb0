import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { getDomain } from 'tldts-icann'
import { bscChainId } from '../chain/register.ts'
import { type Env, EnvError } from './env.ts'

type Rpc = Pick<Env, 'rpcUrls' | 'chainId' | 'rpcUnsafe'>

const fewest = 2
const askWithinMs = 5_000

/**
 * RPC_URLS has to name two of different registrable domains, by ways that nobody can listen in on. Throws EnvError unless
 * RPC_UNSAFE is set, and is true then. A node on this machine that says it is anvil is for trials.
 */
export async function checkWitnesses({ rpcUrls, chainId, rpcUnsafe }: Rpc): Promise<boolean> {
  const problem = chainId === bscChainId ? whyUnsafe(rpcUrls) : undefined
  if (!problem) return false
  const clients = rpcUrls.every(isLoopback) ? await askAll(rpcUrls, 'web3_clientVersion') : undefined
  if (clients?.some(Boolean) && clients.every((client) => !client || /^anvil\b/i.test(client))) return false
  if (rpcUnsafe) return true
  if (clients && !clients.some(Boolean))
    throw new EnvError(
      'RPC_URLS',
      'names nodes of this machine alone, and none of them answers: start one first.',
    )
  throw new EnvError('RPC_URLS', `${problem} RPC_UNSAFE=true starts all the same, and is shown as an alarm.`)
}

/** Throws EnvError for an endpoint that says it is of another chain. One that does not answer may do so later. */
export async function expectChain({ rpcUrls, chainId }: Rpc): Promise<void> {
  const other = (await askAll(rpcUrls, 'eth_chainId')).find((id) => Number(id ?? chainId) !== chainId)
  if (other)
    throw new EnvError('RPC_URLS', `names one of chain ${Number(other)}, but CHAIN_ID is ${chainId}.`)
}

/** The chain's own time is the clock where its only node is on this machine: trials move it by hand. */
export const hasOwnClock = (rpcUrls: readonly string[]): boolean =>
  rpcUrls.length === 1 && rpcUrls.every(isLoopback)

/** The rule that a list breaks, as the end of a sentence that begins with RPC_URLS. */
function whyUnsafe(rpcUrls: readonly string[]): string | undefined {
  const isOpen = (url: string) => /^http:/i.test(url) && !isPrivate(hostOf(url))
  if (rpcUrls.some(isOpen))
    return 'must begin with https://, except for nodes of your own in a private network.'
  const domains = new Set(rpcUrls.map((url) => providerOf(hostOf(url))))
  if (domains.size < fewest)
    return 'must name endpoints of two providers or more (nodes of your own in a private network count as one).'
  return undefined
}

/** Who runs the endpoint at this host; all nodes of a private network are one provider. */
export const providerOf = (host: string): string => (isPrivate(host) ? 'own' : (getDomain(host) ?? host))

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

/** A private address, or a name that no public name server knows. */
function isPrivate(host: string): boolean {
  if (isIP(host) === 0)
    return !host.includes('.') || /\.(internal|local|localhost|lan|home\.arpa)$/i.test(host)
  return ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(rangeOf(host))
}

function isLoopback(url: string): boolean {
  const host = hostOf(url)
  return isIP(host) === 0 ? /(^|\.)localhost$/i.test(host) : rangeOf(host) === 'loopback'
}

const rangeOf = (address: string): string => ipaddr.process(address).range()

/** Undefined of each that does not answer with a text. */
const askAll = (urls: readonly string[], method: string): Promise<(string | undefined)[]> =>
  Promise.all(
    urls.map(async (url) => {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
          signal: AbortSignal.timeout(askWithinMs),
        })
        const { result } = (await response.json()) as { result?: unknown }
        return typeof result === 'string' ? result : undefined
      } catch {
        return undefined
      }
    }),
  )

/** Of a Host header: lower case, without port, brackets and final dot; undefined if it is malformed. */
export function hostNameOf(host: string): string | undefined {
  const [, v6, name, port] =
    /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::(\d{1,5}))?$/i.exec(host) ?? []
  const found = (v6 ?? name)?.toLowerCase().replace(/\.$/, '')
  // What no URL can hold is no host either, such as [::::] or 1.2.3.999.
  const isWhole = found && Number(port ?? 0) <= 65_535 && URL.canParse(`http://${v6 ? `[${found}]` : found}/`)
  return isWhole ? found : undefined
}

/** No private network, cloud's own service or many receivers, nor one of those as IPv6. What is unknown is none. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast'
  const six = parsed as ipaddr.IPv6
  // Mapped, translated and tunnelled addresses end at an IPv4 address that this check would not see.
  return six.range() === 'unicast' && six.match(ipaddr.IPv6.parse('2000::'), 3)
}
