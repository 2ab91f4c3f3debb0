import type { Address } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { type FlowLine, type FlowsHead, parseFlowLine } from '../flows/file.ts'
import type { Flow } from '../flows/flow.ts'
import { openFold, type Sums } from '../flows/fold.ts'
import { zeroAddress } from '../payment/judge.ts'

/** What a site tells of what it owes, and what that rests on: dust and promised prizes by place. */
export type ToldRequired = {
  wallets: ReadonlySet<Address>
  dust: bigint
  promised: readonly bigint[]
  required: bigint
  owed: Record<'leftovers' | 'refunds' | 'credited' | 'prizes', bigint>
  lowest: { cover: bigint; block: number; transactionHash: string } | null
}

/**
 * Reckons what is owed, and the lowest cover of the sale, from the transfers of the file alone, by the published rules. `unsure`:
 * why another result may be honest, as the books know what the file does not: what an earlier event owes, payments before the
 * opening, whether an outflow that could settle a debt was marked as something else, or went through the register.
 */
export function reckonFile(
  proof: Proof,
  { wallets }: FlowsHead,
  texts: readonly string[],
  { at, told, outside }: { at: bigint; told: ToldRequired; outside: number },
): { sums: Sums; unsure: string | undefined } {
  const lines: FlowLine[] = []
  for (const text of texts) {
    const line = parseFlowLine(text)
    if (!line || line.blockNumber > at) break
    lines.push(line)
  }
  const drawBlock = BigInt(proof.blocks.at(-1)?.number ?? 0)
  const openings = wallets.flatMap(({ address, openingBlock, openingHash, openingUnits }) =>
    openingUnits === null || openingBlock > at
      ? []
      : {
          ...{ wallet: address, blockNumber: openingBlock, blockHash: openingHash, units: openingUnits },
          counts: told.wallets.has(address),
        },
  )
  const fold = openFold({
    ...{ eventNumber: proof.eventNumber, saleStart: Date.parse(proof.saleStart) / 1000, dust: told.dust },
    ...{ openings, refunding: new Set() },
    draws: [{ eventNumber: proof.eventNumber, blockNumber: drawBlock }],
    prizes: new Map([[proof.eventNumber, new Map(told.promised.map((units, index) => [index + 1, units]))]]),
  })
  const flows = lines.map((line) => flowOf(proof, line))
  fold.recall(
    new Set(flows.flatMap((flow) => (flow.direction === 'out' ? (flow.debtor ?? flow.counterparty) : []))),
    [],
  )
  for (const flow of flows) fold.take(flow)
  const isAllKnown =
    outside === 0 &&
    openings.length >= told.wallets.size &&
    lines.every((line) => openings.every((opening) => opening.blockNumber < line.blockNumber))
  const unsure =
    proof.eventNumber > 1
      ? 'What is owed could not be compared: earlier events may owe something too.'
      : isAllKnown
        ? ambiguous(lines)
        : 'What is owed could not be compared: some money came before the opening of its wallet.'
  return { sums: fold.sums(at), unsure }
}

/** Outflows whose class does not say whether a debt was settled. */
function ambiguous(lines: readonly FlowLine[]): string | undefined {
  const paid = new Map<Address, bigint>()
  const isOwed = ({ class: kind }: FlowLine) => !notOwed.has(kind)
  for (const line of lines) {
    if (line.direction === 'in') {
      if (isOwed(line)) paid.set(line.counterparty, line.blockNumber)
      continue
    }
    const before = paid.get(line.debtor ?? line.counterparty)
    if (before === undefined || line.class === 'own' || line.class === 'prize') continue
    if (line.class === 'other' || before >= line.blockNumber)
      return 'What is owed could not be compared: a transfer out may have settled a debt or not.'
  }
  return undefined
}

const notOwed: ReadonlySet<string> = new Set(['early', 'claim', 'own', 'other'])

function flowOf(proof: Proof, line: FlowLine): Flow {
  const { class: kind, direction, counterparty, wallet } = line
  const isIn = direction === 'in'
  const isNobodys = notOwed.has(kind) || counterparty === zeroAddress || counterparty === wallet
  const inClass = kind === 'credited' ? 'credited' : kind === 'own' ? 'own' : isNobodys ? 'other' : 'leftover'
  const owes = isIn && (inClass === 'credited' || inClass === 'leftover')
  const place = proof.winners.findIndex(({ walletAddress }) => walletAddress === counterparty) + 1
  return {
    ...line,
    ...{ blockHash: line.transactionHash, reason: null, isRegister: false },
    class: isIn ? inClass : (kind as Flow['class']),
    eventNumber: owes || kind === 'prize' ? proof.eventNumber : null,
    owedBy: owes ? wallet : null,
    ...(kind === 'prize' && { prizePlace: place }),
  }
}
