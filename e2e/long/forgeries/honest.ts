import { numberToHex } from 'viem'
import { termsWith } from '../../lab/forged-proof.ts'
import { type Case, casesOf } from './case.ts'
import { isRegister, refuse } from './lies.ts'
import type { World } from './world.ts'

const other = `0x${'11'.repeat(32)}` as const

/** What every verifier must not call forged. */
export function honestCases(world: World): Case[] {
  const { honestly } = casesOf(world)
  const { plain, drand, unanchored } = world.honest
  const undated = termsWith(plain.terms, { saleEnd: 'none', drawDate: 'none' })
  return [
    honestly('an honest draw', 'plain', 'verified'),
    honestly('an honest draw with a beacon', 'drand', 'verified'),
    honestly('an honest draw of several winners', 'several', 'verified'),
    { ...honestly('a proof with white space', 'plain', 'verified'), proof: JSON.stringify(plain, null, 2) },
    honestly('files alone', 'plain', 'incomplete', { isOffline: true }),
    honestly('files alone, with a beacon', 'drand', 'incomplete', { isOffline: true }),
    honestly('no line kept', 'plain', 'incomplete', { kept: [] }),
    honestly('a line of before the date was set', 'plain', 'incomplete', { kept: [undated] }),
    honestly('a line of before the date was set, and the dated one', 'plain', 'verified', {
      kept: [undated, plain.terms],
    }),
    honestly('what a browser kept of all events', 'plain', 'verified', {
      kept: [drand.terms, plain.terms, unanchored.terms],
    }),
    honestly('what a browser kept of other events alone', 'plain', 'incomplete', { kept: [drand.terms] }),
    honestly('a kept line that an editor saved', 'plain', 'verified', {
      kept: [`\uFEFF${plain.terms.trimEnd()}\r\n`],
    }),
    honestly('a kept line with a space behind it', 'plain', 'verified', {
      kept: [`${plain.terms.trimEnd()} \n\n`],
    }),
    honestly('a node that takes no heed of what logs it is asked for', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        const { address: _, topics: __, ...range } = params[0] as Record<string, unknown>
        return ask(method, method === 'eth_getLogs' ? [range] : params)
      },
    }),
    honestly('a node that takes no heed of topics', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        const { topics: _, ...range } = params[0] as Record<string, unknown>
        return ask(method, method === 'eth_getLogs' ? [range] : params)
      },
    }),
    honestly('a node whose logs lack their topics', 'plain', 'incomplete', {
      lie: async (method, params, ask) => {
        const answer = await ask(method, params)
        return method === 'eth_getLogs' ? (answer as object[]).map((log) => ({ ...log, topics: [] })) : answer
      },
    }),
    honestly('a node without logs', 'plain', 'incomplete', { lie: refuse('eth_getLogs') }),
    honestly('a node without block receipts', 'plain', 'verified', { lie: refuse('eth_getBlockReceipts') }),
    honestly('a node that has forgotten transactions', 'plain', 'verified', {
      lie: refuse('eth_getTransactionByHash', 'eth_getTransactionReceipt'),
    }),
    honestly('a node that knows no finalized block', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        if (params[0] === 'finalized' || params[0] === 'latest') throw new Error('invalid block tag')
        return ask(method, params)
      },
    }),
    honestly('a node of narrow ranges', 'plain', 'verified', {
      lie: (method, params, ask) => {
        const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
        if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) > 2)
          throw new Error('3 blocks at most')
        return ask(method, params)
      },
    }),
    honestly('a node that has pruned the sale', 'plain', 'incomplete', {
      lie: (method, params, ask) =>
        Number(params[0]) < (plain.blocks[0]?.number ?? 0) ? null : ask(method, params),
    }),
    honestly('a node that has pruned the logs of the sale', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        const { fromBlock } = (params[0] ?? {}) as { fromBlock?: string }
        if (method === 'eth_getLogs' && Number(fromBlock) < (plain.blocks[0]?.number ?? 0))
          throw new Error('History has been pruned for this block')
        return ask(method, params)
      },
    }),
    honestly('a node that answers nonsense', 'plain', 'incomplete', { lie: () => 'hello' }),
    honestly('a node that answers nothing', 'plain', 'incomplete', { lie: () => null }),
    honestly('a node that answers half', 'plain', 'incomplete', {
      lie: async (method, params, ask) => {
        const answer = await ask(method, params)
        return method === 'eth_getLogs' ? (answer as object[]).map((log) => ({ ...log, data: '0x' })) : answer
      },
    }),
    honestly('a node whose headers do not give their hash', 'plain', 'incomplete', {
      lie: async (method, params, ask) => {
        const answer = await ask(method, params)
        return method === 'eth_getBlockByNumber' ? { ...(answer as object), stateRoot: other } : answer
      },
    }),
    honestly('a node whose logs are lost, as if there had been none', 'plain', 'incomplete', {
      lie: (method, params, ask) => (method === 'eth_getLogs' ? [] : ask(method, params)),
    }),
    honestly('a node that has lost the first log of the sale', 'plain', 'incomplete', {
      lie: async (method, params, ask) => {
        const answer = await ask(method, params)
        return method === 'eth_getLogs' ? (answer as unknown[]).slice(1) : answer
      },
    }),
    // Headers alone are left of these blocks, and none of it says so.
    honestly('a node that has lost logs and receipts', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        if (method === 'eth_getLogs') return []
        return /Receipt/.test(method) ? null : ask(method, params)
      },
    }),
    honestly('a node that has lost logs, and answers that there were no receipts', 'plain', 'incomplete', {
      lie: (method, params, ask) =>
        ['eth_getLogs', 'eth_getBlockReceipts'].includes(method) ? [] : ask(method, params),
    }),
    honestly('a node that answers the block before', 'plain', 'incomplete', {
      lie: (method, params, ask) =>
        method === 'eth_getBlockByNumber' && String(params[0]).startsWith('0x') && Number(params[0]) > 0
          ? ask(method, [numberToHex(Number(params[0]) - 1), false])
          : ask(method, params),
    }),
    honestly('a node that has lost logs, and answers no receipts', 'plain', 'incomplete', {
      lie: (method, params, ask) => {
        if (method === 'eth_getLogs') return []
        if (/Receipt/.test(method)) throw new Error(`the method ${method} does not exist`)
        return ask(method, params)
      },
    }),
    honestly(
      'a node that has lost the logs of the register, and answers no receipts',
      'plain',
      'incomplete',
      {
        lie: (method, params, ask) => {
          if (method === 'eth_getBlockReceipts') throw new Error(`the method ${method} does not exist`)
          return method === 'eth_getLogs' && isRegister(params[0]) ? [] : ask(method, params)
        },
      },
    ),
  ]
}
