import CompatibilityFallbackHandler from '@safe-global/safe-contracts/build/artifacts/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json' with {
  type: 'json',
}
import MultiSendCallOnly from '@safe-global/safe-contracts/build/artifacts/contracts/libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json' with {
  type: 'json',
}
import SafeProxyFactory from '@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxyFactory.sol/SafeProxyFactory.json' with {
  type: 'json',
}
import SafeL2 from '@safe-global/safe-contracts/build/artifacts/contracts/SafeL2.sol/SafeL2.json' with {
  type: 'json',
}
import {
  type Abi,
  type Address,
  concat,
  decodeEventLog,
  encodeFunctionData,
  encodePacked,
  type Hash,
  type Hex,
  hashMessage,
  hashTypedData,
  numberToHex,
  size,
  zeroAddress,
} from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import type { SafeFile } from '../../core/refund/safe-file.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { mine } from './chain-verbs.ts'

/** Compiled by the makers of Safe 1.4.1, as deployed on BNB Smart Chain. */
const artifacts = { SafeL2, SafeProxyFactory, CompatibilityFallbackHandler, MultiSendCallOnly }
type ArtifactName = keyof typeof artifacts
type Receipt = {
  status: Hex
  gasUsed: Hex
  contractAddress: Address
  logs: { data: Hex; topics: [] }[]
}

const artifact = (name: ArtifactName) => artifacts[name] as { abi: Abi; bytecode: Hex }
const callData = (name: ArtifactName, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: artifact(name).abi, functionName, args })

/** Accounts 7 to 9 of the local chain, whose keys everybody knows. */
const ownerAccounts = [7, 8, 9].map((addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex }),
)

export type Safe = Awaited<ReturnType<typeof openSafe>>

/** A Safe of three owners, two of whom must sign, on this chain. What it is told to do is in a block when a verb answers. */
export async function openSafe(url: string) {
  const payer = ownerAccounts[0]?.address as Address

  async function send(transaction: { to?: Address; data: Hex }): Promise<Receipt> {
    const hash = await rpc<Hash>(url, 'eth_sendTransaction', [
      { from: payer, gas: numberToHex(20_000_000), ...transaction },
    ])
    await mine(url)
    return rpc<Receipt>(url, 'eth_getTransactionReceipt', [hash])
  }
  const deploy = async (name: ArtifactName): Promise<Address> =>
    (await send({ data: artifact(name).bytecode })).contractAddress

  const singleton = await deploy('SafeL2')
  const factory = await deploy('SafeProxyFactory')
  const handler = await deploy('CompatibilityFallbackHandler')
  const multiSend = await deploy('MultiSendCallOnly')
  const owners = ownerAccounts.map((account) => account.address)
  const setup = callData('SafeL2', 'setup', [
    ...[owners, 2n, zeroAddress, '0x', handler],
    ...[zeroAddress, 0n, zeroAddress],
  ])
  const made = await send({
    to: factory,
    data: callData('SafeProxyFactory', 'createProxyWithNonce', [singleton, setup, 0n]),
  })
  const address = proxyIn(made)
  const domain = { chainId: Number(await rpc<Hex>(url, 'eth_chainId')), verifyingContract: address }

  /** Has these calls made by the Safe in one transaction; false if it was undone. `signers`: positions of owners. */
  async function execute(calls: readonly Call[], signers = [0, 1]): Promise<{ ok: boolean; gas: bigint }> {
    const nonce = BigInt(
      await rpc<Hex>(url, 'eth_call', [{ to: address, data: callData('SafeL2', 'nonce', []) }, 'latest']),
    )
    const transaction = {
      ...{
        to: multiSend,
        value: 0n,
        data: callData('MultiSendCallOnly', 'multiSend', [packed(calls)]),
        operation: 1,
      },
      ...{ safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: zeroAddress, refundReceiver: zeroAddress },
    }
    const digest = hashTypedData({
      domain,
      types: safeTypes,
      primaryType: 'SafeTx',
      message: { ...transaction, nonce },
    })
    const data = callData('SafeL2', 'execTransaction', [
      ...Object.values(transaction),
      await signed(digest, signers),
    ])
    const { status, gasUsed } = await send({ to: address, data })
    return { ok: status === '0x1', gas: BigInt(gasUsed) }
  }

  return {
    address: address.toLowerCase() as Address,
    execute,
    /** What Safe's transaction builder does with a file. */
    executeFile: ({ transactions }: SafeFile, signers?: number[]) =>
      execute(
        transactions.map(({ to, value, data }) => ({ to, value: BigInt(value), data })),
        signers,
      ),
    /** A text signed by owners, as the Safe's own check of signatures (ERC-1271) accepts it. */
    signMessage: (message: string, signers = [0, 1]): Promise<Hex> =>
      signed(
        hashTypedData({
          ...{ domain, types: safeTypes, primaryType: 'SafeMessage' },
          message: { message: hashMessage(message) },
        }),
        signers,
      ),
  }
}

type Call = { to: Address; value?: bigint; data: Hex }

const safeTypes = {
  SafeTx: [
    ...[
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
    ...[
      { name: 'operation', type: 'uint8' },
      { name: 'safeTxGas', type: 'uint256' },
    ],
    ...[
      { name: 'baseGas', type: 'uint256' },
      { name: 'gasPrice', type: 'uint256' },
    ],
    ...[
      { name: 'gasToken', type: 'address' },
      { name: 'refundReceiver', type: 'address' },
    ],
    { name: 'nonce', type: 'uint256' },
  ],
  SafeMessage: [{ name: 'message', type: 'bytes' }],
} as const

const packed = (calls: readonly Call[]): Hex =>
  concat(
    calls.map(({ to, value = 0n, data }) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, to, value, BigInt(size(data)), data],
      ),
    ),
  )

/** Signatures of the owners at these positions, in the order of their addresses, as a Safe wants them. */
async function signed(digest: Hash, signers: readonly number[]): Promise<Hex> {
  const accounts = signers.map((position) => ownerAccounts[position] as HDAccount)
  const sorted = accounts.toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  return concat(await Promise.all(sorted.map((account) => account.sign({ hash: digest }))))
}

function proxyIn({ logs }: Receipt): Address {
  for (const { data, topics } of logs)
    try {
      const { args } = decodeEventLog({
        abi: artifact('SafeProxyFactory').abi,
        eventName: 'ProxyCreation',
        data,
        topics,
      })
      return (args as unknown as { proxy: Address }).proxy
    } catch {
      // The Safe's own log of its set-up.
    }
  throw new Error('the factory made no Safe')
}
