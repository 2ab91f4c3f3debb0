import { readFileSync } from 'node:fs'
import solc from 'solc'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem'

export type ContractName =
  | 'FakeUsdt'
  | 'OddShapes'
  | 'Mover'
  | 'PayingConstructor'
  | 'ContractWallet'
  | 'Crowd'
type Contract = { abi: Abi; bytecode: Hex }

let compiled: Record<ContractName, Contract> | undefined

/** Hostile.sol, compiled once a process. */
function contract(name: ContractName): Contract {
  compiled ??= compile()
  return compiled[name]
}

export const deployData = (name: ContractName, args: readonly unknown[] = []): Hex =>
  encodeDeployData({ ...contract(name), args })

export const callData = (name: ContractName, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: contract(name).abi, functionName, args })

function compile(): Record<ContractName, Contract> {
  const input = {
    language: 'Solidity',
    sources: { 'Hostile.sol': { content: readFileSync(new URL('Hostile.sol', import.meta.url), 'utf8') } },
    settings: {
      evmVersion: 'shanghai',
      outputSelection: { 'Hostile.sol': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const broken = output.errors?.find((error: { severity: string }) => error.severity === 'error')
  if (broken) throw new Error(broken.formattedMessage)
  type Output = { abi: Abi; evm: { bytecode: { object: string } } }
  const all = Object.entries(output.contracts['Hostile.sol'] as Record<string, Output>)
  return Object.fromEntries(
    all.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
  ) as Record<ContractName, Contract>
}
