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

/** Its entries by name, without what the compiler adds to each. */
function shapes(abi: Abi): unknown {
  const isAdded = (key: string, value: unknown) => key === 'internalType' || value === false || value === ''
  const text = JSON.stringify(abi, (key, value) => (isAdded(key, value) ? undefined : value))
  return Object.fromEntries((JSON.parse(text) as { name: string }[]).map((entry) => [entry.name, entry]))
}

/** `bun infra/contracts/compile.ts` writes the bytecode files, `--check` compares them, and the ABI that core has. */
if (import.meta.main) {
  const isCheck = process.argv.includes('--check')
  for (const [name, place] of Object.entries(committed)) {
    const { abi, ...code } = compile(new URL(`${name}.sol`, import.meta.url))[name] as Contract
    const file = new URL(place, import.meta.url)
    const text = `${JSON.stringify(code, null, 2)}\n`
    if (!isCheck) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text)
      complain(`${fileURLToPath(file)} is not what its source compiles to: bun infra/contracts/compile.ts`)
    if (isCheck && name === 'RaffleRegister' && !Bun.deepEquals(shapes(registerAbi), shapes(abi)))
      complain('registerAbi in core/chain/register.ts is not the ABI of RaffleRegister.sol')
  }
}

function complain(problem: string): void {
  console.error(problem)
  process.exitCode = 1
}
