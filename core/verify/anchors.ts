import { type Address, type Hex, pad } from 'viem'
import { register } from '../chain/register.ts'
import { type Anchored, anchoredTopics, commitmentOf, decodeAnchored } from '../draw/anchor.ts'
import type { Proof, ProofAnchor } from '../draw/proof.ts'
import { termsSha256 } from '../event/terms.ts'
import { firstBlockSince, getFinal, mustGetHeader } from './chain.ts'
import { type LogFilter, mayBeLeftOut, readLogs } from './completeness.ts'
import { failed, open, passed, type Rpc, type VerifyEvent, type VerifyResult } from './steps.ts'
import type { Promised } from './terms.ts'

type Told = Proof['anchors'] | undefined

/**
 * T belongs before the sale end, C between it and the draw block. Only these wallets can make such a log: another commitment of
 * the operator wallet contradicts, one of the anchor wallet, whose key may be stolen, proves nothing.
 */
export async function* checkAnchors(
  rpc: Rpc,
  promised: Promised,
  listSha256: Hex,
  { told, drawBlock }: { told?: Told; drawBlock: number | null },
): AsyncGenerator<VerifyEvent> {
  const filter = filterOf(promised)
  const head = await getFinal(rpc)
  const first = await firstBlockSince(rpc, promised.saleStart, head)
  const saleEnd = await firstBlockSince(rpc, promised.saleEnd, head)
  // Where the proof's D is the wrong block the draw date still ends the window.
  const end = Math.max(drawBlock ?? 0, await firstBlockSince(rpc, promised.drawDate, head))
  const anchors: Anchored[] = []
  for await (const { to, logs } of readLogs(rpc, filter, { from: first, to: end - 1 })) {
    anchors.push(...logs.flatMap((log) => decodeAnchored(log) ?? []))
    yield { kind: 'progress', step: 'terms-anchor', done: to - first + 1, total: end - first }
  }
  anchors.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const terms = termsSha256(promised.line)
  const list = commitmentOf(promised.line, listSha256)
  const others = anchors.filter(({ commitment }) => commitment !== terms && commitment !== list)
  const ofTerms = anchors.filter(({ commitment }) => commitment === terms)
  const ofList = anchors.filter(({ commitment }) => commitment === list)
  const other = judgeOthers(others, promised.operatorWallet)
  // One that the proof names from behind the draw is none.
  const inTime = (anchor: ProofAnchor | null | undefined) =>
    anchor && anchor.blockNumber < end ? anchor : undefined
  const t = ofTerms.find(({ blockNumber }) => blockNumber < saleEnd)
  const c = ofList.find(({ blockNumber }) => blockNumber >= saleEnd)
  yield (await contradictsTold(rpc, filter, 'terms-anchor', inTime(told?.terms), ofTerms)) ??
    (t
      ? passed('terms-anchor', 'termsAnchored', await where(rpc, t, promised.saleEnd))
      : ofTerms[0]
        ? open('terms-anchor', 'termsAnchoredLate', place(ofTerms[0]))
        : open('terms-anchor', 'termsNotAnchored', {}))
  yield (await contradictsTold(rpc, filter, 'list-anchor', inTime(told?.list), ofList)) ??
    other ??
    (c
      ? passed('list-anchor', 'listAnchored', await where(rpc, c, promised.drawDate))
      : ofList[0]
        ? open('list-anchor', 'listAnchoredEarly', place(ofList[0]))
        : open('list-anchor', 'listNotAnchored', {}))
}

function filterOf({ book, eventNumber, operatorWallet, anchorWallet }: Promised): LogFilter {
  const wallets = [operatorWallet, ...(anchorWallet ? [anchorWallet] : [])]
  return { address: register.address, topics: anchoredTopics(wallets, { book, eventNumber }) }
}

function judgeOthers(others: readonly Anchored[], operatorWallet: Address): VerifyResult | undefined {
  const byOperator = others.find(({ wallet }) => wallet === operatorWallet)
  const { commitment, transactionHash: transaction } = byOperator ?? others[0] ?? {}
  if (!commitment || !transaction) return undefined
  return byOperator
    ? failed('list-anchor', 'operatorAnchoredOther', { commitment, transaction })
    : open('list-anchor', 'anchorWalletAnchoredOther', { commitment, transaction })
}

/** The proof names an anchor that is not on the chain; or the logs leave it out. */
async function contradictsTold(
  rpc: Rpc,
  filter: LogFilter,
  step: 'terms-anchor' | 'list-anchor',
  told: ProofAnchor | null | undefined,
  found: readonly Anchored[],
): Promise<VerifyResult | undefined> {
  if (!told) return undefined
  const { transactionHash: transaction, blockNumber: block, wallet } = told
  const isIt = (each: Anchored) =>
    each.transactionHash === transaction && each.blockNumber === block && each.wallet === wallet
  if (found.some(isIt))
    return (await mustGetHeader(rpc, block)).timestamp === told.timestamp
      ? undefined
      : failed(step, 'anchorNotThere', { transaction, block })
  const byWallet = { ...filter, topics: filter.topics.with(1, pad(wallet)) }
  const isLeftOut = await mayBeLeftOut(rpc, byWallet, block, (log) => log.transactionHash === transaction)
  return isLeftOut
    ? open(step, 'logsLeaveOut', { block })
    : failed(step, 'anchorNotThere', { transaction, block })
}

const place = ({ transactionHash: transaction, blockNumber: block }: Anchored) => ({ transaction, block })

/** `seconds`: how long before the moment. */
async function where(rpc: Rpc, anchor: Anchored, moment: number) {
  const { timestamp } = await mustGetHeader(rpc, anchor.blockNumber)
  return { ...place(anchor), seconds: moment - timestamp }
}
