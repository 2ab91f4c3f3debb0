import { type Address, numberToHex, pad } from 'viem'
import { register } from '../chain/register.ts'
import { type Anchored, anchoredTopic, decodeAnchored } from '../draw/anchored.ts'
import { AnswerError } from './chain.ts'
import { type Blocks, type LogFilter, readAllLogs, readLogsByBlooms } from './logs.ts'
import type { Rpc } from './steps.ts'

/** `byBlooms`: where no logs are served, headers and block receipts are read. */
export type AnchorOptions = { logCalls: number; byBlooms?: boolean | undefined }
export type AnchorQuery = Blocks & { eventNumber: number; wallets: readonly Address[] }

/** All commitments of an event by these wallets in these blocks, in chain order; undefined where the endpoint does not serve the logs of all of them. */
export async function readAnchors(
  rpc: Rpc,
  query: AnchorQuery,
  { logCalls: calls, byBlooms }: AnchorOptions,
): Promise<Anchored[] | undefined> {
  const { eventNumber, wallets, from, to } = query
  const filter = filterOf(query)
  const served = await readAllLogs(rpc, filter, { from, to, calls })
  const logs = served ?? (byBlooms ? await readLogsByBlooms(rpc, filter, { from, to }) : undefined)
  const found = logs?.flatMap((log) => decodeAnchored(log) ?? []).sort(inChainOrder)
  for (const anchor of found ?? []) {
    const isAsked = anchor.eventNumber === eventNumber && wallets.includes(anchor.wallet)
    if (!isAsked || anchor.blockNumber < from || anchor.blockNumber > to)
      throw new AnswerError('It answered logs that were not asked for.')
  }
  return found
}

/** Under any book: the terms name none. */
export const filterOf = ({ eventNumber, wallets }: AnchorQuery): LogFilter => ({
  address: register.address,
  topics: [anchoredTopic, wallets.map((wallet) => pad(wallet)), null, numberToHex(eventNumber, { size: 32 })],
})

const inChainOrder = (a: Anchored, b: Anchored): number =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
