import { type Address, type Hash, type Hex, numberToHex, pad } from 'viem'
import type { Proof } from '../../core/draw/proof.ts'
import { type FlowLine, type FlowsHead, flowsHeadText, flowText } from '../../core/flows/file.ts'
import { parseLedgerLine } from '../../core/payment/ledger.ts'
import { decodeTransfer, groupPayments, type RpcLog, transferTopic } from '../../core/payment/payment.ts'
import { rpc as ask } from '../../infra/local/rpc.ts'

type Header = { number: Hex; hash: Hash; timestamp: Hex }
/** A file as its parts, so that a forger can change each. */
export type Flows = { head: FlowsHead; lines: FlowLine[] }

/** The file of these parts; the head says how many lines there are unless it is told otherwise. */
export const flowsText = ({ head, lines }: Flows, count = lines.length): string =>
  flowsHeadText({ ...head, lines: count }) + lines.map(flowText).join('')

/**
 * The honest file of a sold event, made from the chain and the list of tickets alone: from block `opening` to block `until` of
 * these wallets, the first of which sold. What bought no ticket is classed by what the story paid: too little, too late, or
 * beyond a cap.
 */
export async function flowsOfChain(
  url: string,
  proof: Proof,
  ledger: string,
  { opening, until, wallets = [] }: { opening: number; until: number; wallets?: readonly Address[] },
): Promise<Flows> {
  const { token } = proof
  const own = [...new Set([proof.operatorWallet, ...wallets])].sort()
  const blockAt = (number: number | bigint) =>
    ask<Header>(url, 'eth_getBlockByNumber', [numberToHex(number), false])
  const transfersOf = async (topics: (Hex | null)[]) => {
    const blocks = { fromBlock: numberToHex(opening + 1), toBlock: numberToHex(until) }
    const logs = await ask<RpcLog[]>(url, 'eth_getLogs', [{ address: token, topics, ...blocks }])
    return logs.flatMap((log) => decodeTransfer(log, token) ?? [])
  }
  const listed = new Set(ledger.split('\n').map((text) => parseLedgerLine(text)?.transactionHash))
  const end = Date.parse(proof.saleEndDate) / 1000
  const lines: FlowLine[] = []
  for (const wallet of own) {
    const came = await transfersOf([transferTopic, null, pad(wallet)])
    for (const { payer, firstLogIndex, ...each } of groupPayments(came, new Set([wallet]))) {
      const blockTime = Number((await blockAt(each.blockNumber)).timestamp)
      const inSale = each.units < BigInt(proof.ticketPrice) ? 'underpaid' : 'over_cap'
      const unticketed = own.includes(payer) ? 'own' : blockTime < end ? inSale : 'late'
      const isListed = wallet === proof.operatorWallet && listed.has(each.transactionHash)
      lines.push({
        ...{ blockNumber: each.blockNumber, blockTime, transactionIndex: each.transactionIndex },
        ...{ logIndex: firstLogIndex, transactionHash: each.transactionHash, direction: 'in', wallet },
        ...{
          counterparty: payer,
          units: each.units,
          class: isListed ? 'credited' : unticketed,
          debtor: null,
        },
      })
    }
    for (const { to, value, ...each } of await transfersOf([transferTopic, pad(wallet)]))
      lines.push({
        ...{
          blockNumber: each.blockNumber,
          transactionIndex: each.transactionIndex,
          logIndex: each.logIndex,
        },
        ...{ blockTime: Number((await blockAt(each.blockNumber)).timestamp), direction: 'out', wallet },
        ...{ transactionHash: each.transactionHash, counterparty: to, units: value, debtor: null },
        class: own.includes(to) ? 'own' : 'other',
      })
  }
  const [first, last] = [await blockAt(opening), await blockAt(until)]
  const heldBy = (wallet: Address) =>
    ask<Hex>(url, 'eth_call', [
      { to: token, data: `0x70a08231${pad(wallet).slice(2)}` },
      numberToHex(opening),
    ])
  const openings = own.map(async (address) => ({
    ...{ address, openingBlock: BigInt(opening), openingHash: first.hash },
    openingUnits: BigInt(await heldBy(address)),
  }))
  const head: FlowsHead = {
    ...{ eventNumber: proof.eventNumber, chainId: proof.chainId, token, lines: lines.length },
    until: { number: BigInt(until), hash: last.hash, timestamp: Number(last.timestamp) },
    wallets: await Promise.all(openings),
  }
  return { head, lines: lines.sort(byPlace) }
}

const byPlace = (a: FlowLine, b: FlowLine): number =>
  Number(a.blockNumber - b.blockNumber) ||
  a.transactionIndex - b.transactionIndex ||
  a.logIndex - b.logIndex ||
  (a.direction < b.direction ? -1 : 1)
