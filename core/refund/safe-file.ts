import { type Address, getAddress, type Hex, keccak256, toBytes } from 'viem'
import { unitsText } from '../money.ts'
import { encodeApprove, encodePayUpTo, payeesPerCall } from './register-calls.ts'

/** What the desk is handed for a wallet that pays through the register; amounts in units of 10^-18 as decimal texts. */
export type RegisterOffer = {
  address: Address
  token: Address
  /** The last second in block time at which the call may run. */
  validUntil: number
  /** Ascending; `units` is what the call will newly pay, `total` what the wallet owes in all. */
  debtors: readonly { debtor: Address; payee: Address; total: string; units: string }[]
}

/** A batch as Safe's transaction builder reads it, version 1.0. */
export type SafeFile = {
  version: '1.0'
  chainId: string
  /** Milliseconds since 1970. */
  createdAt: number
  meta: {
    name: string
    description: string
    txBuilderVersion: string
    createdFromSafeAddress: Address
    createdFromOwnerAddress: ''
    checksum?: Hex
  }
  transactions: {
    to: Address
    value: '0'
    data: Hex
    contractMethod: null
    contractInputsValues: null
  }[]
}

/** A Safe signs a file for so long at most: its owners are in different places. */
export const safeFileSeconds = 604_800

type Files = { chainId: number; wallet: Address; createdAt: number }

/**
 * The offers of one batch as files, numbered through, of which each allows the register exactly what it newly pays and
 * makes the call, in one transaction of the Safe. They may be executed in any order; a second time, or after
 * `validUntil`, they pay nothing. Who stands in an earlier offer with the same total is not named again, as his money
 * would be allowed twice.
 */
export function safeFiles({ offers, ...files }: Files & { offers: readonly RegisterOffer[] }): SafeFile[] {
  const named = new Set<string>()
  const isNew = ({ debtor, payee, total }: RegisterOffer['debtors'][number]) => {
    const key = `${debtor} ${payee} ${total}`
    return !named.has(key) && named.add(key)
  }
  const parts = offers.flatMap((offer) => {
    const debtors = offer.debtors.filter(isNew)
    const count = Math.ceil(debtors.length / payeesPerCall)
    return Array.from({ length: count }, (_, index) => ({
      ...offer,
      debtors: debtors.slice(index * payeesPerCall, (index + 1) * payeesPerCall),
    }))
  })
  return parts.map((part, index) => fileOf(part, files, `${index + 1}/${parts.length}`))
}

function fileOf(offer: RegisterOffer, { chainId, wallet, createdAt }: Files, part: string): SafeFile {
  const { address, token, validUntil, debtors } = offer
  const sum = debtors.reduce((total, { units }) => total + BigInt(units), 0n)
  const debts = debtors.map(({ total, ...debt }) => ({ ...debt, total: BigInt(total) }))
  const file: SafeFile = {
    version: '1.0',
    chainId: `${chainId}`,
    createdAt,
    meta: {
      name: `Blockdraw refunds ${part}`,
      description: `${debtors.length} payees, ${unitsText(sum)} USDT in all. Reverts after ${new Date(validUntil * 1000).toISOString()}.`,
      txBuilderVersion: '1.18.2',
      createdFromSafeAddress: getAddress(wallet),
      createdFromOwnerAddress: '',
    },
    transactions: [
      callOf(token, encodeApprove(address, sum)),
      callOf(address, encodePayUpTo(token, debts, validUntil)),
    ],
  }
  return { ...file, meta: { ...file.meta, checksum: checksumOf(file) } }
}

const callOf = (to: Address, data: Hex): SafeFile['transactions'][number] => ({
  ...{ to: getAddress(to), value: '0', data },
  ...{ contractMethod: null, contractInputsValues: null },
})

/**
 * What Safe compares when it reads a file, to warn of one that was changed: all but its name and the checksum itself.
 * @internal
 */
export function checksumOf<File extends { meta: object }>(file: File): Hex {
  const meta: Record<string, unknown> = { ...file.meta, name: null }
  delete meta.checksum
  return keccak256(toBytes(serialized({ ...file, meta })))
}

/** As Safe writes it for the checksum: each object by its sorted keys, then their values, each with a comma. */
function serialized(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialized).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  const values = keys.map((key) => `${serialized((value as Record<string, unknown>)[key])},`)
  return `{${JSON.stringify(keys)}${values.join('')}}`
}
