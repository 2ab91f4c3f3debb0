import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'
import type { Abi, Hex } from 'viem'
import { registerAbi } from '../../core/chain/register.ts'

export type Contract = { abi: Abi; bytecode: Hex; deployedBytecode: Hex }

/** Every contract of a Solidity file by its name. Warnings are errors. */
export function compile(file: URL): Record<string, Contract> {
  const name = basename(fileURLToPath(file))
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: readFileSync(file, 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none' },
      outputSelection: { [name]: { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  if (output.errors?.length) throw new Error(output.errors[0].formattedMessage)
  type Output = { abi: Abi; evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }
  const contracts = Object.entries(output.contracts[name] as Record<string, Output>)
  return Object.fromEntries(
    contracts.map(([contract, { abi, evm }]) => [
      contract,
      {
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
      },
    ]),
  )
}

/** The contracts whose bytecode is committed, each in a file beside its source. */
const committed = { Usdt: 'usdt.json', RaffleRegister: 'raffle-register.json' }

/** File name and text of every committed bytecode, as its source compiles to it now. */
const bytecodeFiles = (): { file: URL; text: string }[] =>
  Object.entries(committed).map(([name, file]) => {
    const { bytecode, deployedBytecode } = compile(new URL(`${name}.sol`, import.meta.url))[name] as Contract
    return {
      file: new URL(file, import.meta.url),
      text: `${JSON.stringify({ bytecode, deployedBytecode }, null, 2)}\n`,
    }
  })

/** One line an entry; the names of a getter's parameters are the mapping's. */
const shapes = (abi: Abi): string =>
  abi
    .map((entry) => {
      const inputs = 'inputs' in entry ? entry.inputs : []
      const outputs = 'outputs' in entry ? entry.outputs.map(({ type }) => type) : []
      const words = inputs.map(
        ({ type, name, ...rest }) => `${type}${'indexed' in rest && rest.indexed ? ' indexed' : ''} ${name}`,
      )
      const name = 'name' in entry ? entry.name : ''
      const mutability = 'stateMutability' in entry ? entry.stateMutability : ''
      return `${entry.type} ${name}(${words}) ${mutability} ${outputs}`
    })
    .sort()
    .join('\n')

/** `bun infra/contracts/compile.ts` writes the bytecode files, `--check` compares them, and the ABI that core has. */
if (import.meta.main) {
  const isCheck = process.argv.includes('--check')
  for (const { file, text } of bytecodeFiles())
    if (!isCheck) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text)
      complain(`${fileURLToPath(file)} is not what its source compiles to: bun infra/contracts/compile.ts`)
  const { RaffleRegister } = compile(new URL('RaffleRegister.sol', import.meta.url))
  if (isCheck && shapes(registerAbi) !== shapes(RaffleRegister?.abi ?? []))
    complain('registerAbi in core/chain/register.ts is not the ABI of RaffleRegister.sol')
}

function complain(problem: string): void {
  console.error(problem)
  process.exitCode = 1
}
