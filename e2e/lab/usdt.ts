import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  parseUnits,
} from 'viem'
import { usdtOnBsc } from '../../core/chain/register.ts'
import { transferTopic } from '../../core/payment/payment.ts'
import { rpc } from '../../infra/local/rpc.ts'

/** As the database and the logs write it. */
export const usdt = usdtOnBsc.toLowerCase() as Address

/** What a transfer, an approval or an anchor needs at most. */
export const usdtGas = numberToHex(90_000)

/** Whole and broken USDT in units of 10^-18. */
export const usdtUnits = (usdt: number): bigint => parseUnits(`${usdt}`, 18)

export const transferData = (to: Address, units: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })

/** Lets `spender` move so much; as much as the approver will ever have, unless said otherwise. */
export const approveData = (spender: Address, units = 2n ** 255n): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, units] })

/** New money, which the token of the local chain gives to anybody. */
export const mintData = (to: Address, units: bigint): Hex =>
  encodeFunctionData({
    abi: parseAbi(['function mint(address to, uint256 value)']),
    functionName: 'mint',
    args: [to, units],
  })

/** Every transfer between these two by the chain's logs, in chain order; left out means any address. */
export async function transfersBetween(
  rpcUrl: string,
  { from, to, fromBlock = 0 }: { from?: Address; to?: Address; fromBlock?: number },
): Promise<{ from: Address; to: Address; units: bigint; hash: Hash }[]> {
  type Log = { topics: [Hex, Hex, Hex]; data: Hex; transactionHash: Hash }
  const word = (address: Address | undefined) => (address ? pad(address.toLowerCase() as Hex) : null)
  const address = (topic: Hex): Address => `0x${topic.slice(26)}`
  const logs = await rpc<Log[]>(rpcUrl, 'eth_getLogs', [
    { fromBlock: numberToHex(fromBlock), address: usdt, topics: [transferTopic, word(from), word(to)] },
  ])
  return logs.map(({ topics, data, transactionHash }) => ({
    from: address(topics[1]),
    to: address(topics[2]),
    units: BigInt(data),
    hash: transactionHash,
  }))
}
