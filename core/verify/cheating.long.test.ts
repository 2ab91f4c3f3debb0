import { type Address, type Hash, type Hex, numberToHex, pad, sha256 } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { termsWith } from '../../e2e/lab/anchored-event.ts'
import { type DrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { firstFailure, once, openDrawnEvent, statusOf } from '../../e2e/lab/drawn-event.ts'
import { fittingTerms, forged } from '../../e2e/lab/forged-proof.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { rpc as ask } from '../../infra/local/rpc.ts'
import { register } from '../chain/register.ts'
import { commitmentOf } from '../draw/anchor.ts'
import { anchoredTopic } from '../draw/anchored.ts'
import type { Proof } from '../draw/proof.ts'
import { ownWalletsSha256 } from '../event/terms.ts'
import { unitsOf } from '../money.ts'
import type { RpcLog } from '../payment/payment.ts'
import { type Rpc, uncheckedSteps, verdictOf } from './verify.ts'

/** A line for a payment after the sale. */
let lateLine: string

const { world, proof, ledger, rpc, verify } = await forFile(openDrawnEvent({ beforeDraw: cheat }))
const lines = ledger.trim().split('\n').slice(1)

async function cheat(world: DrawWorld): Promise<void> {
  const late = await placeOf(world, await world.pay(5, 30_00, saleEndAt + 30))
  lateLine = `${late.transactionHash},${late.from},${unitsOf(30_00)},${late.blockNumber},0`
}

/** Where a transaction was mined; anvil returns the hash before that. */
async function placeOf(world: DrawWorld, transactionHash: Hash) {
  const receipt = await vi.waitFor(
    async () => {
      const found = await ask<{ blockNumber: Hex; from: string } | null>(
        world.url,
        'eth_getTransactionReceipt',
        [transactionHash],
      )
      if (!found) throw new Error('not mined yet')
      return found
    },
    { interval: 5, timeout: 60_000 },
  )
  const block = await ask<{ timestamp: Hex }>(world.url, 'eth_getBlockByNumber', [receipt.blockNumber, false])
  const { from, blockNumber } = receipt
  return {
    transactionHash,
    blockNumber: Number(blockNumber),
    timestamp: Number(block.timestamp),
    from: from.toLowerCase(),
  }
}

describe('an operator who cheats', () => {
  /** A matching proof and ledger made from other lines. */
  const forge = async (lines: string[], change: Partial<Proof> = {}) =>
    verify(await forged(proof, lines, change))
  const payerOf = (line = '') => line.split(',')[3] as Address
  /** Nobody put anything on this chain. */
  const unanchored: Rpc = async (method, params) =>
    method === 'eth_getLogs' && (params[0] as RpcLog).address === register.address ? [] : rpc(method, params)
  /** These wallets are named as own ones, in the terms line too. */
  const naming = (...ownWallets: Proof['ownWallets']): Partial<Proof> => {
    const list = ownWallets.map(({ address, since }) => ({ address, since: new Date(since) }))
    const terms = proof.terms.replace(/,none,([^,]*)\n$/, `,${ownWalletsSha256(list)},$1\n`)
    return { ownWallets, terms, anchor: null }
  }
  /** Tickets without a gap again. */
  const renumber = (texts: readonly string[]): string[] => {
    let next = 1
    return texts.map((text) => {
      const [, count, ...rest] = text.split(',')
      next += Number(count)
      return [next - Number(count), count, ...rest].join(',')
    })
  }

  test('by leaving out a payment is found by the logs of the chain, and by the anchor', async () => {
    const results = await forge(lines.slice(0, -1))
    expect(firstFailure(results)).toBe('completeness')
    expect(statusOf(results, 'anchor')).toBe('failed')
  })

  test('by adding an invented payment is found by the receipts', async () => {
    const [first, count, hash, , ...rest] = (lines.at(-1) as string).split(',')
    const fake = [Number(first) + Number(count), count, hash, `0x${'ee'.repeat(20)}`, ...rest].join(',')
    expect(firstFailure(await forge([...lines, fake], { anchor: null }))).toBe('receipts')
  })

  test('by a ticket of his own wallet is found by the receipts', async () => {
    const { saleStart: since } = proof
    const results = await forge(lines, naming({ address: payerOf(lines[2]), since }))
    expect(firstFailure(results)).toBe('receipts')
    expect(statusOf(results, 'completeness')).toBe('failed')
  })

  test('I35: by calling a buyer one of his own is never verified: it is told whose payments were left out', async () => {
    const [payer, { saleStart: since }] = [payerOf(lines[1]), proof]
    const left = renumber(lines.filter((line) => payerOf(line) !== payer))
    const named = await verify({
      ...(await forged(proof, left, naming({ address: payer, since }))),
      rpc: unanchored,
    })
    expect([firstFailure(named), verdictOf(named)]).toEqual([undefined, 'incomplete'])
    expect(uncheckedSteps(named)).toContain('completeness')
    expect(named.find(({ step }) => step === 'completeness')?.text).toContain(
      `Left out as the operator's own: 1 of ${payer}.`,
    )
    const unnamed = await forge(left, { ownWallets: [{ address: payer, since }], anchor: null })
    expect(firstFailure(unnamed)).toBe('terms')
    // It was his only after that payment.
    const later = { address: payer, since: proof.saleEndDate }
    expect(firstFailure(await forge(left, naming(later)))).toBe('completeness')
    const honest = await verify({ ...(await forged(proof, lines, naming(later))), rpc: unanchored })
    expect(firstFailure(honest)).toBeUndefined()
  })

  test('by own wallets twice, out of order or in another form is found by the form', async () => {
    const since = proof.saleStart
    const [a, b] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`]
    const results = [
      [
        { address: b, since },
        { address: a, since },
      ],
      [
        { address: a, since },
        { address: a, since },
      ],
      [{ address: a, since, by: 'hand' }],
      [{ address: a }],
      null,
    ].map((ownWallets) => verify({ proof: JSON.stringify({ ...proof, ownWallets }) }))
    for (const told of await Promise.all(results)) expect(firstFailure(told)).toBe('form')
  })

  test('by another amount is found by the receipts', async () => {
    const last = (lines.at(-1) as string).replace(',6000000000000000000,', ',6000000000000000001,')
    expect(firstFailure(await forge([...lines.slice(0, -1), last], { anchor: null }))).toBe('receipts')
  })

  test('I35: by half a character after the last line is found by both implementations', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode(ledger), 0xe2, 0x82])
    const changed = { ...proof, ledger: { ...proof.ledger, sha256: sha256(bytes) }, anchor: null }
    const results = await verify({ ledger: once(bytes), proof: JSON.stringify(changed) })
    expect(firstFailure(results)).toBe('lines')
  })

  test('by drawing from other blocks is found by the header before the draw block', async () => {
    const number = (proof.blocks[0]?.number ?? 0) + 1
    const blocks = await Promise.all(
      Array.from({ length: 5 }, async (_, i) => {
        const header = await world.deps.chain.header(BigInt(number + i))
        return { number: number + i, hash: header?.hash ?? '0x', timestamp: header?.timestamp ?? 0 }
      }),
    )
    const results = await forge(lines, { blocks })
    expect(firstFailure(results)).toBe('draw-block')
  })

  test('I35: by lines from outside the sale is found even if a sample misses them', async () => {
    const [first, count] = (lines.at(-1) as string).split(',').map(Number) as [number, number]
    const many = [...lines, `${first + count},10,${lateLine}`]
    // Only the logs could show it, and they are queried only for the time of the sale.
    const results = await verify({
      ...(await forged(proof, many, { anchor: null })),
      sample: 0,
      random: () => 0,
    })
    expect(statusOf(results, 'completeness')).toBe('failed')
  })

  test('by invented block hashes is found by the chain', async () => {
    const blocks = proof.blocks.map((block, i) =>
      i === 2 ? { ...block, hash: `0x${'11'.repeat(32)}` as const } : block,
    )
    const results = await forge(lines, { blocks })
    expect(results.filter(({ status }) => status === 'failed').map(({ step }) => step)).toContain('blocks')
  })

  const refitted = (change: Partial<Proof>) => {
    const made = { ...proof, ...change }
    return JSON.stringify({ ...made, terms: fittingTerms(made) })
  }

  test('with another draw date, wallet or chain is found even without noted terms', async () => {
    const later = new Date(Date.parse(proof.drawDate) + 1000).toISOString()
    for (const [change, step] of [
      [{ drawDate: later }, 'draw-block'],
      [{ chainId: 1 }, 'terms'],
      [{ operatorWallet: `0x${'ee'.repeat(20)}` }, 'receipts'],
      [{ saleEndDate: new Date(Date.parse(proof.saleStart) + 15_000).toISOString() }, 'receipts'],
    ] as const)
      expect(firstFailure(await verify({ known: {}, proof: refitted(change) }))).toBe(step)
  })
})

describe('an anchor', () => {
  /** The endpoint tells these logs of the register, after the honest one. */
  const withAnchors = (...others: Partial<RpcLog>[]): Rpc => {
    return async (method, params) => {
      const answer = await rpc(method, params)
      if (method !== 'eth_getLogs') return answer
      const logs = answer as RpcLog[]
      const [honest] = logs.filter(({ topics }) => topics[0] === anchoredTopic)
      return honest ? [...logs, ...others.map((change) => ({ ...honest, ...change }))] : logs
    }
  }
  const other = { data: `0x${'ab'.repeat(32)}`, logIndex: '0x7' } as const
  const anchorOf = async (change: Parameters<typeof verify>[0]) =>
    (await verify(change)).find(({ step }) => step === 'anchor')

  test('passes if it is the last one, whether the proof names it or not', async () => {
    expect(await anchorOf({})).toMatchObject({ status: 'passed' })
    expect(await anchorOf({ proof: JSON.stringify({ ...proof, anchor: null }) })).toMatchObject({
      status: 'passed',
    })
  })

  test('behind which another came is not checked, and that one is named', async () => {
    const told = await anchorOf({ rpc: withAnchors(other) })
    expect(told).toMatchObject({ status: 'skipped' })
    expect(told?.text).toContain(`another came later: ${other.data} in 0x`)
    // In a block before the honest one.
    const block = numberToHex((proof.anchor?.blockNumber ?? 0) - 1)
    expect(await anchorOf({ rpc: withAnchors({ ...other, blockNumber: block }) })).toMatchObject({
      status: 'passed',
    })
  })

  test('of another commitment contradicts, and so does one that is not on the chain', async () => {
    const terms = proof.terms.replace(',10,true,', ',11,true,')
    const commitment = commitmentOf(terms, proof.ledger.sha256)
    expect(await anchorOf({ proof: JSON.stringify({ ...proof, terms, commitment }) })).toMatchObject({
      status: 'failed',
      text: 'Another commitment was put on the chain.',
    })
    const silent: Rpc = (method, params) =>
      ['eth_getLogs', 'eth_getBlockReceipts'].includes(method) ? Promise.resolve([]) : rpc(method, params)
    // The block has room for it, so the endpoint may have lost it; the one before has none.
    expect(await anchorOf({ rpc: silent })).toMatchObject({ status: 'skipped' })
    const blockNumber = (proof.anchor?.blockNumber ?? 0) - 1
    const moved = JSON.stringify({ ...proof, anchor: { ...proof.anchor, blockNumber } })
    expect(await anchorOf({ rpc: silent, proof: moved })).toMatchObject({
      status: 'failed',
      text: 'No such anchor is on the chain.',
    })
    expect(await anchorOf({ rpc: silent, proof: JSON.stringify({ ...proof, anchor: null }) })).toMatchObject({
      status: 'skipped',
    })
  })

  test('behind a sale end that was promised and put off is looked for too, and named; else nothing else is asked', async () => {
    const asked: Hex[] = []
    const withEarly: Rpc = async (method, params) => {
      const [filter] = params as [{ address: Address; fromBlock: Hex }]
      const answer = await rpc(method, params)
      if (method !== 'eth_getLogs' || filter.address !== register.address) return answer
      asked.push(filter.fromBlock)
      const at = numberToHex(proof.anchor?.blockNumber ?? 0)
      const [honest] = (await rpc(method, [{ ...filter, fromBlock: at, toBlock: at }])) as RpcLog[]
      return asked.length === 1 ? answer : [{ ...honest, ...other, blockNumber: filter.fromBlock }]
    }
    const saleEnd = Date.parse(proof.saleEndDate) / 1000
    const told = (change: number) => {
      asked.length = 0
      const terms = termsWith(proof.terms, { saleEnd: `${saleEnd + change}` })
      return anchorOf({ rpc: withEarly, known: { kept: [{ terms, firstDrawDate: null, ownUntil: null }] } })
    }
    expect(await told(-60)).toMatchObject({
      status: 'skipped',
      text: expect.stringContaining(`before this one: ${other.data} in 0x`),
    })
    expect(asked).toHaveLength(2)
    for (const change of [0, 60]) {
      expect(await told(change)).toMatchObject({ status: 'passed' })
      expect(asked).toHaveLength(1)
    }
  })

  test('is found by ranges that the endpoint takes, and one that was not asked for is no answer', async () => {
    const narrow: Rpc = (method, params) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
      return method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) > 2
        ? Promise.reject(new Error('limited to 3 blocks'))
        : rpc(method, params)
    }
    expect(await anchorOf({ rpc: narrow })).toMatchObject({ status: 'passed' })
    const stranger = { ...other, topics: [anchoredTopic, pad(`0x${'ee'.repeat(20)}`), pad('0x1')] } as const
    expect(await anchorOf({ rpc: withAnchors({ ...stranger, topics: [...stranger.topics] }) })).toMatchObject(
      {
        status: 'unknown',
      },
    )
  })
})
