import type { Address } from 'viem'
import type { Proof } from '../draw/proof.ts'
import { type FlowsHead, parseFlowLine } from '../flows/file.ts'
import { reckonFile, type ToldRequired } from './flows-required.ts'

const amount = /^-?(0|[1-9]\d{0,77})$/
const parts = ['leftovers', 'refunds', 'credited', 'prizes'] as const
const sent = ['refund', 'prize', 'own', 'other'] as const

/**
 * Compares what a site tells of held and owed money (`GET raffle/solvency`) with the file: what each wallet held at that block,
 * the sums, that no less went out by it than the file has, what is owed and the lowest cover of the sale. `problem`: what cannot
 * both be true. `gap`: what could not be compared, as the file ends before that block, the books classed an outflow anew between
 * the two answers, or know more than the file. Neither where the answer is of another event. `outside`: payments of the list in
 * blocks that the file does not reach.
 */
export function compareSolvency(
  answer: string,
  proof: Proof,
  head: FlowsHead,
  texts: readonly string[],
  outside: number,
): { problem?: string; gap?: string } {
  const { wallets, until } = head
  const told = parse(answer)
  if (!told) return { problem: 'What the site tells of held and owed money is not in its form.' }
  if (told.eventNumber !== proof.eventNumber || told.block === undefined) return {}
  if (told.block > until.number)
    return { gap: `The site tells what is held at block ${told.block}, behind the end of its own file.` }
  const at = told.block
  const start = Date.parse(proof.saleStart) / 1000
  const held = new Map(
    wallets.flatMap(({ address, openingBlock, openingUnits }): [string, bigint][] =>
      openingUnits === null || openingBlock > at ? [] : [[address, openingUnits]],
    ),
  )
  const out = new Map<string, bigint>()
  for (const text of texts) {
    const line = parseFlowLine(text)
    if (!line || line.blockNumber > at) break
    const { wallet, direction, units } = line
    const before = held.get(wallet)
    if (before !== undefined) held.set(wallet, direction === 'in' ? before + units : before - units)
    if (direction === 'out' && line.blockTime >= start)
      out.set(line.class, (out.get(line.class) ?? 0n) + units)
  }
  const other = told.wallets.find(([wallet, units]) => (held.get(wallet) ?? units) !== units)
  if (other)
    return {
      problem: `The site tells that ${other[0]} held ${other[1]} at block ${at}, and by the file it is ${held.get(other[0])}.`,
    }
  const sum = told.wallets.reduce((total, [, units]) => total + units, 0n)
  if (sum !== told.held || told.held - told.required !== told.cover || told.owed !== told.required)
    return {
      problem: 'The sums of held and owed money that the site tells are not those of their parts.',
    }
  if (sumOf(told.outflow, sent) < sumOf(out, sent))
    return { problem: 'The site tells that less money went out than the file has.' }
  // Own wallets and others are told apart by the operator's word, and what is more than its prize is told as other.
  const isLess = ([['refund'], ['prize', 'own', 'other']] as const).some(
    (kinds) => sumOf(told.outflow, kinds) < sumOf(out, kinds),
  )
  if (isLess) return { gap: 'What money went out for was told otherwise a moment before.' }
  const { rest } = told
  if (!rest) return { gap: 'The site does not tell from which sum a debt counts.' }
  const compared = compareRequired(proof, head, texts, { at, told: rest, outside })
  if (compared.problem || rest.dust <= BigInt(proof.ticketPrice)) return compared
  // With a limit as high as he likes an operator owes nothing of what came without a ticket.
  return { gap: 'The site counts what a payer is owed only from more than the price of a ticket on.' }
}

/** What is owed, part by part, and where the cover was lowest. */
function compareRequired(
  proof: Proof,
  head: FlowsHead,
  texts: readonly string[],
  given: { at: bigint; told: ToldRequired; outside: number },
): { problem?: string; gap?: string } {
  const { told } = given
  const { sums, unsure } = reckonFile(proof, head, texts, given)
  const { lowest, owed } = sums
  const part = parts.find((name) => owed[name] !== told.owed[name])
  // More may be owed than the file shows, as for money that came before its wallet's opening; less is a lie.
  const differ = (problem: string, isMore: boolean) => {
    const gap = unsure ?? (isMore ? 'The site tells that more is owed than the file shows.' : undefined)
    return gap ? { gap } : { problem }
  }
  if (part)
    return differ(
      `The site tells that ${told.owed[part]} are owed (${part}) at block ${given.at}, and by the file it is ${owed[part]}.`,
      told.owed[part] > owed[part],
    )
  const isSame =
    lowest?.cover === told.lowest?.cover &&
    lowest?.transactionHash === told.lowest?.transactionHash &&
    (lowest === null || Number(lowest.block) === told.lowest?.block)
  return isSame
    ? {}
    : differ(
        `The site tells that the cover was lowest at ${nameOf(told.lowest)}, and by the file it was at ${nameOf(lowest)}.`,
        told.lowest !== null && (lowest === null || told.lowest.cover < lowest.cover),
      )
}

const nameOf = (lowest: { cover: bigint; transactionHash: string } | null): string =>
  lowest ? `${lowest.cover}, by ${lowest.transactionHash}` : 'no transfer'

const sumOf = (of: ReadonlyMap<string, bigint>, kinds: readonly string[]): bigint =>
  kinds.reduce((total, kind) => total + (of.get(kind) ?? 0n), 0n)

/** Undefined where the text is no such answer. `block` is undefined while nothing was reckoned. */
function parse(answer: string) {
  try {
    const { eventNumber, block, wallets, held, required, cover, owed, outflow, ...more } = JSON.parse(answer)
    const { dust, promised, lowest } = more
    const named = (wallets as { address: string; held: unknown }[]).map((each): [string, bigint] => [
      each.address.toLowerCase(),
      units(each.held),
    ])
    if (new Map(named).size < named.length) return undefined
    const amounts = Object.fromEntries(parts.map((name) => [name, units(owed[name])])) as ToldRequired['owed']
    const rest: ToldRequired | undefined =
      dust === undefined && promised === undefined
        ? undefined
        : {
            ...{ wallets: new Set(named.map(([address]) => address as Address)), dust: units(dust) },
            ...{ promised: (promised as unknown[]).map(units), required: units(required), owed: amounts },
            lowest: lowest && {
              ...{ cover: units(lowest.cover), block: whole(lowest.block) },
              transactionHash: `${lowest.transactionHash}`.toLowerCase(),
            },
          }
    return {
      rest,
      eventNumber: eventNumber as unknown,
      block: block === null ? undefined : BigInt(whole(block.number)),
      wallets: named,
      ...{ held: units(held), required: units(required), cover: units(cover) },
      owed: parts.reduce((total, name) => total + amounts[name], 0n),
      outflow: new Map(sent.map((name): [string, bigint] => [name, units(outflow[name])])),
    }
  } catch {
    return undefined
  }
}

function units(value: unknown): bigint {
  if (typeof value !== 'string' || !amount.test(value)) throw new TypeError('It is no amount.')
  return BigInt(value)
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError('It is no block.')
  return value as number
}
