import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createFlowsReader,
  type FlowLine,
  type FlowsHead,
  flowsHeadText,
  flowText,
  inClasses,
  longestFlowLine,
  outClasses,
  parseFlowLine,
} from './file.ts'

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => `0x${digits.join('')}` as const)
const units = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })

/** Files in their one form: places go up, each block has one time. */
const files = fc
  .record({
    eventNumber: fc.integer({ min: 1, max: 99 }),
    chainId: fc.constantFrom(56, 97),
    token: hex(40),
    untilHash: hex(64),
    opening: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    wallets: fc.uniqueArray(fc.record({ address: hex(40), units: fc.option(units), hash: hex(64) }), {
      ...{ minLength: 1, maxLength: 5 },
      selector: ({ address }) => address,
    }),
    steps: fc.array(
      fc.record({
        block: fc.bigInt({ min: 1n, max: 1000n }),
        place: fc.tuple(fc.nat(500), fc.nat(5_000)),
        hash: hex(64),
        isIn: fc.boolean(),
        classes: fc.tuple(fc.constantFrom(...inClasses), fc.constantFrom(...outClasses)),
        wallet: fc.nat(),
        counterparty: hex(40),
        debtor: hex(40),
        units,
      }),
      { maxLength: 20 },
    ),
  })
  .map(({ wallets, steps, opening, untilHash, ...rest }) => {
    let block = opening
    const known = wallets.toSorted((a, b) => (a.address < b.address ? -1 : 1))
    const lines = steps.map((step): FlowLine => {
      block += step.block
      const kind = step.isIn ? step.classes[0] : step.classes[1]
      return {
        ...{ blockNumber: block, blockTime: Number(block) + 1_000 },
        ...{ transactionIndex: step.place[0], logIndex: step.place[1], transactionHash: step.hash },
        direction: step.isIn ? 'in' : 'out',
        wallet: known[step.wallet % known.length]?.address as `0x${string}`,
        ...{ counterparty: step.counterparty, units: step.units, class: kind },
        debtor: kind === 'refund' ? step.debtor : null,
      }
    })
    const head: FlowsHead = {
      ...{ ...rest, lines: lines.length },
      until: { number: block, hash: untilHash, timestamp: Number(block) + 1_000 },
      wallets: known.map((one) => ({
        ...{ address: one.address, openingBlock: opening, openingHash: one.hash, openingUnits: one.units },
      })),
    }
    return { head, lines }
  })

function read(text: string) {
  const reader = createFlowsReader()
  const lines: FlowLine[] = []
  const texts = text.split('\n')
  if (texts.pop() !== '') return { problem: 'no end', lines, head: reader.head() }
  for (const each of texts) {
    const taken = reader.take(each)
    if (typeof taken === 'string') return { problem: taken, lines, head: reader.head() }
    if (taken) lines.push(taken)
  }
  return { problem: reader.end(), lines, head: reader.head() }
}

test('what is written is read, to the last unit', () => {
  fc.assert(
    fc.property(files, ({ head, lines }) => {
      const text = flowsHeadText(head) + lines.map(flowText).join('')
      expect(read(text)).toEqual({ problem: undefined, lines, head })
      expect(text.split('\n').every((line) => line.length <= longestFlowLine)).toBe(true)
    }),
  )
})

test('a file of which a character is another one is refused, or is another file', () => {
  fc.assert(
    fc.property(files, fc.nat(), fc.constantFrom(...'0a,x\r\uFEFF '), ({ head, lines }, at, other) => {
      const text = flowsHeadText(head) + lines.map(flowText).join('')
      const place = at % text.length
      const changed = text.slice(0, place) + other + text.slice(place + 1)
      fc.pre(changed !== text)
      const told = read(changed)
      const isOther =
        told.problem !== undefined ||
        flowsHeadText(told.head as FlowsHead) + told.lines.map(flowText).join('') === changed
      expect(isOther).toBe(true)
    }),
  )
})

test('the first problem is told in one sentence', () => {
  const address = (digit: string) => `0x${digit.repeat(40)}` as const
  const hash = (digit: string) => `0x${digit.repeat(64)}` as const
  const wallet = (digit: string, openingBlock = 10n) => ({
    ...{ address: address(digit), openingBlock, openingHash: hash('1'), openingUnits: 5n },
  })
  const head = (change: Partial<FlowsHead> = {}): FlowsHead => ({
    ...{ eventNumber: 1, chainId: 56, token: address('e'), lines: 1 },
    until: { number: 20n, hash: hash('2'), timestamp: 1_020 },
    ...{ wallets: [wallet('a')], ...change },
  })
  const line = (change: Partial<FlowLine> = {}): FlowLine => ({
    ...{ blockNumber: 12n, blockTime: 1_012, transactionIndex: 3, logIndex: 4, transactionHash: hash('3') },
    ...{ direction: 'in', wallet: address('a'), counterparty: address('b'), units: 7n, class: 'credited' },
    ...{ debtor: null, ...change },
  })
  const problemOf = (lines: FlowLine[], change: Partial<FlowsHead> = {}) =>
    read(flowsHeadText(head({ lines: lines.length, ...change })) + lines.map(flowText).join('')).problem
  const text = flowsHeadText(head())
  const two = flowsHeadText(head({ wallets: [wallet('a'), wallet('b')] }))
  const swapped = two.split('\n')
  swapped.splice(1, 2, swapped[2] as string, swapped[1] as string)
  expect([
    problemOf([line()]),
    read('').problem,
    read(text.slice(0, text.indexOf('\n') + 1)).problem,
    read(text.replace('flows-1', 'flows-2')).problem,
    read(swapped.join('\n')).problem,
    problemOf([], { wallets: [wallet('a', 21n)] }),
    problemOf([line({ wallet: address('c') })]),
    problemOf([line({ blockNumber: 10n })]),
    problemOf([line({ blockNumber: 21n })]),
    problemOf([line(), line()]),
    problemOf([line(), line({ logIndex: 3 })]),
    problemOf([line(), line({ logIndex: 5, transactionHash: hash('4') })]),
    problemOf([line(), line({ transactionIndex: 5, logIndex: 5 })]),
    problemOf([line(), line({ blockNumber: 13n, blockTime: 1_011, transactionHash: hash('4') })]),
    problemOf([line({ debtor: address('b') })]),
    problemOf([line({ class: 'refund' })]),
    problemOf([line()], { lines: 2 }),
    problemOf([line(), line({ direction: 'out', class: 'own' })]),
  ]).toEqual([
    undefined,
    'Its head has no end.',
    'Its head has no end.',
    'The first line is not that of a flows file.',
    'Its wallets are not listed once, by address.',
    `Wallet ${address('a')} opens after the last block.`,
    'Line 1 is of a wallet that the file does not name.',
    "Line 1 lies before its wallet's opening.",
    'Line 1 lies after the last block.',
    'Line 2 is not in chain order.',
    'Line 2 is not in chain order.',
    'Line 2 is not in chain order.',
    'Line 2 is not in chain order.',
    'Line 2 is not in chain order.',
    'Line 1 names a debtor, and is no refund.',
    expect.stringContaining('Line 1 is not in its one form'),
    'Transfers in the file: 1; in its head: 2.',
    undefined,
  ])
  expect(() => flowsHeadText(head({ wallets: [wallet('b'), wallet('a')] }))).toThrow(RangeError)
  expect(parseFlowLine(flowText(line()))).toBe(undefined)
})
