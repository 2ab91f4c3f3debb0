import { register } from '../../../core/chain/register.ts'
import { rpc } from '../../../infra/local/rpc.ts'
import { serveRpc } from '../../lab/hook-rpc.ts'

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>
/** What an endpoint tells instead of the chain's answer, which `ask` gives. Throws where it refuses. */
export type Lie = (method: string, params: readonly unknown[], ask: Ask) => unknown

const honest: Lie = (method, params, ask) => ask(method, params)

// biome-ignore lint/suspicious/noExplicitAny: parameters and answers of any method
type Answer = (params: readonly any[], honestly: (params?: readonly unknown[]) => Promise<any>) => unknown

/** These methods are answered so, the others honestly. */
export const telling =
  (answers: Record<string, Answer>): Lie =>
  (method, params, ask) => {
    const honestly = (other = params) => ask(method, other)
    const answer = answers[method]
    return answer ? answer(params, honestly) : honestly()
  }

const absent: Answer = () => {
  throw new Error('the method does not exist')
}
export const refuse = (...methods: string[]): Lie =>
  telling(Object.fromEntries(methods.map((method) => [method, absent])))

/** The logs of the register are not there. Verifiers write addresses in different cases. */
export const hideRegister: Answer = ([filter], honestly) =>
  filter?.address?.toLowerCase() === register.address.toLowerCase() ? [] : honestly()

/** Endpoints before one chain, each with a path and a lie of its own. */
export function serveLies(chain: string) {
  const lies = new Map<string, Lie>()
  const known = new Map<string, Promise<unknown>>()
  const ask: Ask = (method, params) => {
    const key = JSON.stringify([method, params])
    const answer = known.get(key) ?? rpc(chain, method, params)
    known.set(key, answer)
    return answer
  }
  const { url, stop } = serveRpc(async ({ method, params }, path) => {
    try {
      return (await (lies.get(path) as Lie)(method, params, ask)) ?? null
    } catch (error) {
      throw { code: -32000, message: `${error}` }
    }
  })
  return {
    stop,
    url: (lie = honest): string => {
      const path = `/${lies.size}`
      lies.set(path, lie)
      return url + path
    },
  }
}
