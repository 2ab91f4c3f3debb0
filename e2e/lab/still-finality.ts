import { numberToHex } from 'viem'
import { rpc } from '../../infra/local/rpc.ts'
import { type HookRpc, hookRpc } from './hook-rpc.ts'

const keptStates = 128
const ofState = ['eth_getTransactionCount', 'eth_getCode', 'eth_call', 'eth_getBalance']

/** A node like any full one, which keeps the state of its last 128 blocks. `freeze`: its final block stays where it is. */
export function fullNode(upstream: string): HookRpc & { freeze: () => Promise<void>; thaw: () => void } {
  const node = hookRpc(upstream)
  const numberOf = async (tag: string): Promise<number> =>
    Number((await rpc<{ number: string }>(upstream, 'eth_getBlockByNumber', [tag, false])).number)
  let frozen: number | undefined
  node.hook = async ({ method, params }, result) => {
    const at = params.at(-1)
    if (ofState.includes(method) && typeof at === 'string' && at.startsWith('0x'))
      if (Number(at) <= (await numberOf('latest')) - keptStates)
        throw { code: -32000, message: 'missing trie node' }
    if (method === 'eth_getBlockByNumber' && params[0] === 'finalized' && frozen !== undefined)
      return rpc(upstream, 'eth_getBlockByNumber', [numberToHex(frozen), false])
    return result
  }
  return Object.assign(node, {
    freeze: async () => {
      frozen = await numberOf('finalized')
    },
    thaw: () => {
      frozen = undefined
    },
  })
}
