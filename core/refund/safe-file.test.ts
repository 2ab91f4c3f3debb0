import { type Address, decodeFunctionData, erc20Abi, getAddress, type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { register, registerAbi } from '../chain/register.ts'
import { checksumOf, type SafeFile, type SafePayment, safeFiles } from './safe-file.ts'

const wallet: Address = '0xA77DE01e157f9f57C7c4A326eeE9C4874D0598b6'
const token: Address = '0x55d398326f99059fF775485246999027B3197955'
const usdt = 10n ** 18n
const payer = (number: number): Address => getAddress(numberToHex(0xd00000 + number, { size: 20 }))
const owed = (number: number, due: bigint, total = due) => ({ debtor: payer(number), due, total })
const book: Hex = `0x${'b0'.repeat(32)}`
const validUntil = 1_800_000_000
const filesOf = (debtors: SafePayment['debtors']) =>
  safeFiles({ chainId: 56, wallet, createdAt: 1_761_326_849_944, book, token, debtors, validUntil })

test('a file allows the register what is due, then names every total', () => {
  const [file, ...more] = filesOf([owed(1, 3n * usdt), owed(2, 5n * usdt, 12n * usdt)])
  expect(more).toEqual([])
  expect(file).toMatchObject({
    version: '1.0',
    chainId: '56',
    createdAt: 1_761_326_849_944,
    meta: {
      createdFromSafeAddress: wallet,
      description: '2 payers, 8 USDT in all. Reverts after 2027-01-15T08:00:00.000Z.',
      checksum: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    },
    transactions: [
      { to: token, value: '0', contractMethod: null, contractInputsValues: null },
      { to: register.address, value: '0', contractMethod: null, contractInputsValues: null },
    ],
  })
  const [approve, pay] = (file as SafeFile).transactions.map(({ data }) => data) as [Hex, Hex]
  expect(decodeFunctionData({ abi: erc20Abi, data: approve })).toEqual({
    functionName: 'approve',
    args: [register.address, 8n * usdt],
  })
  expect(decodeFunctionData({ abi: registerAbi, data: pay })).toEqual({
    functionName: 'payUpTo',
    args: [book, token, [payer(1), payer(2)], [3n * usdt, 12n * usdt], BigInt(validUntil)],
  })
})

test('a file has 180 payers at most: the rest goes into further files, each with its own allowance', () => {
  const files = filesOf(Array.from({ length: 361 }, (_, index) => owed(index, BigInt(index))))
  const parts = files.map(({ meta, transactions }) => {
    const [allowance, call] = transactions.map(({ data }) => data) as [Hex, Hex]
    const { args } = decodeFunctionData({ abi: registerAbi, data: call }) as { args: readonly unknown[] }
    const [, units] = decodeFunctionData({ abi: erc20Abi, data: allowance }).args as [Address, bigint]
    return [meta.name, (args[2] as Address[]).length, units]
  })
  expect(parts).toEqual([
    ['Blockdraw refunds 1/3', 180, 16_110n],
    ['Blockdraw refunds 2/3', 180, 48_510n],
    ['Blockdraw refunds 3/3', 1, 360n],
  ])
  expect(filesOf([])).toEqual([])
})

test("the checksum is the one that Safe's transaction builder gives to a file of its own", () => {
  const approve = {
    to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    ...{ value: '0', data: null },
    contractMethod: {
      inputs: [
        { internalType: 'address', name: 'spender', type: 'address' },
        { internalType: 'uint256', name: 'value', type: 'uint256' },
      ],
      name: 'approve',
      payable: false,
    },
    contractInputsValues: { spender: '0x474e5Ded6b5D078163BFB8F6dBa355C3aA5478C8', value: '100000000000' },
  }
  const meta = {
    name: 'Transactions Batch',
    description: '',
    txBuilderVersion: '1.18.2',
    createdFromSafeAddress: wallet,
    createdFromOwnerAddress: '',
  }
  const file = { version: '1.0', chainId: '1', createdAt: 1_761_326_849_944, meta, transactions: [approve] }
  const given = '0x8b5032f716845c8b08bab3d63dbd9ba92e056f3557793cd041e59b84e16aa989'
  expect(checksumOf(file)).toBe(given)
  expect(checksumOf({ ...file, meta: { ...meta, name: 'renamed', checksum: given } })).toBe(given)
  expect(checksumOf({ ...file, chainId: '56' })).not.toBe(given)
})
