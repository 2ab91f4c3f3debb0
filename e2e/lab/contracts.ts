import { encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { type Contract, compile } from '../../infra/contracts/compile.ts'

const sources = {
  FakeUsdt: 'Hostile.sol',
  OddShapes: 'Hostile.sol',
  Mover: 'Hostile.sol',
  PayingConstructor: 'Hostile.sol',
  Crowd: 'Hostile.sol',
  MoodyToken: 'HostileTokens.sol',
  OpenWallet: 'HostileTokens.sol',
} as const
export type ContractName = keyof typeof sources

const compiled = new Map<string, Record<string, Contract>>()

/** Each source is compiled once a process. */
function contract(name: ContractName): Contract {
  const source = sources[name]
  const contracts = compiled.get(source) ?? compile(new URL(source, import.meta.url))
  compiled.set(source, contracts)
  return contracts[name] as Contract
}

export const deployData = (name: ContractName, args: readonly unknown[] = []): Hex =>
  encodeDeployData({ ...contract(name), args })

export const callData = (name: ContractName, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: contract(name).abi, functionName, args })
