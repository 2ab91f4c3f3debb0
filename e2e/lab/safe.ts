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
  encodeFunctionData,
  encodePacked,
  type Hash,
  type Hex,
  hashMessage,
  hashTypedData,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  parseEventLogs,
  size,
  zeroAddress,
} from 'viem'
import type { SafeFile } from '../../core/refund/safe-file.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { accountAt, mine } from './chain-verbs.ts'

/** Compiled by the makers of Safe 1.4.1, as deployed on BNB Smart Chain. */
const artifacts = { SafeL2, SafeProxyFactory, CompatibilityFallbackHandler, MultiSendCallOnly }
type ArtifactName = keyof typeof artifacts
type Receipt = {
  status: Hex
  contractAddress: Address
  logs: never[]
}

const artifact = (name: ArtifactName) => artifacts[name] as { abi: Abi; bytecode: Hex }
const callData = (name: ArtifactName, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: artifact(name).abi, functionName, args })

/** Accounts 7 to 9 of the local chain, whose keys everybody knows. */
const ownerAccounts = [7, 8, 9].map(accountAt)

const proxyMade = parseAbi(['event ProxyCreation(address indexed proxy, address singleton)'])

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
  const [log] = parseEventLogs({ abi: proxyMade, logs: made.logs })
  const address = log?.args.proxy as Address
  const domain = { chainId: Number(await rpc<Hex>(url, 'eth_chainId')), verifyingContract: address }

  /** Has these calls made by the Safe in one transaction; false if it was undone. */
  async function execute(calls: readonly Call[]): Promise<{ ok: boolean }> {
    const nonce = BigInt(
      await rpc<Hex>(url, 'eth_call', [{ to: address, data: callData('SafeL2', 'nonce', []) }, 'latest']),
    )
    const message = {
      ...{ to: multiSend, value: 0n, data: callData('MultiSendCallOnly', 'multiSend', [packed(calls)]) },
      ...{ operation: 1, safeTxGas: 0n, baseGas: 0n, gasPrice: 0n },
      ...{ gasToken: zeroAddress, refundReceiver: zeroAddress, nonce },
    }
    const digest = hashTypedData({ domain, types: safeTypes, primaryType: 'SafeTx', message })
    const data = callData('SafeL2', 'execTransaction', [
      ...Object.values(message).slice(0, -1),
      await signed(digest),
    ])
    return { ok: (await send({ to: address, data })).status === '0x1' }
  }

  return {
    address: address.toLowerCase() as Address,
    execute,
    /** What Safe's transaction builder does with a file. */
    executeFile: ({ transactions }: SafeFile) =>
      execute(transactions.map(({ to, value, data }) => ({ to, value: BigInt(value), data }))),
    /** A text signed by owners, as the Safe's own check of signatures (ERC-1271) accepts it. */
    signMessage: (text: string): Promise<Hex> => {
      const message = { message: hashMessage(text) }
      return signed(hashTypedData({ domain, types: safeTypes, primaryType: 'SafeMessage', message }))
    },
  }
}

type Call = { to: Address; value?: bigint; data: Hex }

const safeTypes = {
  SafeTx: parseAbiParameters(
    'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce',
  ),
  SafeMessage: parseAbiParameters('bytes message'),
}

const packed = (calls: readonly Call[]): Hex =>
  concat(
    calls.map(({ to, value = 0n, data }) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, to, value, BigInt(size(data)), data],
      ),
    ),
  )

/** Signatures of two owners, in the order of their addresses, as a Safe wants them. */
async function signed(hash: Hash): Promise<Hex> {
  const sorted = ownerAccounts
    .slice(0, 2)
    .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  return concat(await Promise.all(sorted.map((account) => account.sign({ hash }))))
}
