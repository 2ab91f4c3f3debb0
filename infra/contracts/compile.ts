import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

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
export const bytecodeFiles = (): { file: URL; text: string }[] =>
  Object.entries(committed).map(([name, file]) => {
    const { bytecode, deployedBytecode } = compile(new URL(`${name}.sol`, import.meta.url))[name] as Contract
    return {
      file: new URL(file, import.meta.url),
      text: `${JSON.stringify({ bytecode, deployedBytecode }, null, 2)}\n`,
    }
  })

/** `bun infra/contracts/compile.ts` writes the bytecode files, `--check` compares them. */
if (import.meta.main)
  for (const { file, text } of bytecodeFiles())
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text) {
      console.error(
        `${fileURLToPath(file)} is not what its source compiles to: bun infra/contracts/compile.ts`,
      )
      process.exitCode = 1
    }
