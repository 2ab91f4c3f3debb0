import { numberToHex } from 'viem'
import type { Verdict } from '../../../core/verify/steps.ts'
import { termsWith } from '../../lab/forged-proof.ts'
import { type Case, casesOf } from './case.ts'
import { hideRegister, type Lie, refuse, telling } from './server.ts'
import type { World } from './world.ts'

const other = `0x${'11'.repeat(32)}` as const
const none = () => []
const absent = refuse('eth_getBlockReceipts', 'eth_getTransactionReceipt')

/** What every verifier must not call forged. */
export function honestCases(world: World): Case[] {
  const { honestly } = casesOf(world)
  const { plain, drand, unanchored } = world.honest
  const undated = termsWith(plain.terms, { saleEnd: 'none', drawDate: 'none' })
  const firstBlock = plain.blocks[0]?.number ?? 0
  const kept = (name: string, verdict: Verdict, ...lines: string[]) =>
    honestly(name, 'plain', verdict, { kept: lines })
  const node = (name: string, verdict: Verdict, lie: Lie) =>
    honestly(`a node ${name}`, 'plain', verdict, { lie })
  const logs = (change: (logs: object[]) => unknown) =>
    telling({ eth_getLogs: async (_, ask) => change(await ask()) })
  return [
    honestly('an honest draw', 'plain', 'verified'),
    honestly('an honest draw with a beacon', 'drand', 'verified'),
    honestly('an honest draw of several winners', 'several', 'verified'),
    { ...honestly('a proof with white space', 'plain', 'verified'), proof: JSON.stringify(plain, null, 2) },
    honestly('files alone', 'plain', 'incomplete', { isOffline: true }),
    honestly('files alone, with a beacon', 'drand', 'incomplete', { isOffline: true }),
    kept('no line kept', 'incomplete'),
    kept('a line of before the date was set', 'incomplete', undated),
    kept('a line of before the date was set, and the dated one', 'verified', undated, plain.terms),
    kept('what a browser kept of all events', 'verified', drand.terms, plain.terms, unanchored.terms),
    kept('what a browser kept of other events alone', 'incomplete', drand.terms),
    kept('a kept line that an editor saved', 'verified', `\uFEFF${plain.terms.trimEnd()}\r\n`),
    kept('a kept line with a space behind it', 'verified', `${plain.terms.trimEnd()} \n\n`),
    node(
      'that takes no heed of what logs it is asked for',
      'incomplete',
      telling({ eth_getLogs: ([{ address: _, topics: __, ...range }], ask) => ask([range]) }),
    ),
    node(
      'that takes no heed of topics',
      'incomplete',
      telling({ eth_getLogs: ([{ topics: _, ...range }], ask) => ask([range]) }),
    ),
    node(
      'whose logs lack their topics',
      'incomplete',
      logs((all) => all.map((log) => ({ ...log, topics: [] }))),
    ),
    node('without logs', 'incomplete', refuse('eth_getLogs')),
    node('without block receipts', 'verified', refuse('eth_getBlockReceipts')),
    node(
      'that has forgotten transactions',
      'verified',
      refuse('eth_getTransactionByHash', 'eth_getTransactionReceipt'),
    ),
    node('that knows no finalized block', 'incomplete', (method, params, ask) => {
      if (params[0] === 'finalized' || params[0] === 'latest') throw new Error('invalid block tag')
      return ask(method, params)
    }),
    node(
      'of narrow ranges',
      'verified',
      telling({
        eth_getLogs: ([{ fromBlock, toBlock }], ask) => {
          if (Number(toBlock) - Number(fromBlock) > 2) throw new Error('3 blocks at most')
          return ask()
        },
      }),
    ),
    node('that has pruned the sale', 'incomplete', (method, params, ask) =>
      Number(params[0]) < firstBlock ? null : ask(method, params),
    ),
    node(
      'that has pruned the logs of the sale',
      'incomplete',
      telling({
        eth_getLogs: ([{ fromBlock }], ask) => {
          if (Number(fromBlock) < firstBlock) throw new Error('History has been pruned for this block')
          return ask()
        },
      }),
    ),
    node('that answers nonsense', 'incomplete', () => 'hello'),
    node('that answers nothing', 'incomplete', () => null),
    node(
      'that answers half',
      'incomplete',
      logs((all) => all.map((log) => ({ ...log, data: '0x' }))),
    ),
    node(
      'whose headers do not give their hash',
      'incomplete',
      telling({ eth_getBlockByNumber: async (_, ask) => ({ ...(await ask()), stateRoot: other }) }),
    ),
    node('whose logs are lost, as if there had been none', 'incomplete', telling({ eth_getLogs: none })),
    node(
      'that has lost the first log of the sale',
      'incomplete',
      logs((all) => all.slice(1)),
    ),
    // Headers alone are left of these blocks, and none of it says so.
    node('that has lost logs and receipts', 'incomplete', (method, params, ask) =>
      /Logs|Receipt/.test(method) ? (method === 'eth_getLogs' ? [] : null) : ask(method, params),
    ),
    node(
      'that has lost logs, and answers that there were no receipts',
      'incomplete',
      telling({ eth_getLogs: none, eth_getBlockReceipts: none }),
    ),
    node(
      'that answers the block before',
      'incomplete',
      telling({
        eth_getBlockByNumber: ([at], ask) =>
          Number(at) > 0 ? ask([numberToHex(Number(at) - 1), false]) : ask(),
      }),
    ),
    node('that has lost logs, and answers no receipts', 'incomplete', (method, params, ask) =>
      method === 'eth_getLogs' ? [] : absent(method, params, ask),
    ),
    node(
      'that has lost the logs of the register, and answers no receipts',
      'incomplete',
      (method, params, ask) =>
        (method === 'eth_getBlockReceipts' ? absent : telling({ eth_getLogs: hideRegister }))(
          method,
          params,
          ask,
        ),
    ),
  ]
}
