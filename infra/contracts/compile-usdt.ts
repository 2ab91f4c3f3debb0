import { readFileSync } from 'node:fs'
import solc from 'solc'
import type { Hex } from 'viem'

/** Run-time bytecode of Usdt.sol. `bun infra/contracts/compile-usdt.ts > infra/contracts/usdt.json` commits it. */
export function compileUsdt(): Hex {
  const input = {
    language: 'Solidity',
    sources: { 'Usdt.sol': { content: readFileSync(new URL('Usdt.sol', import.meta.url), 'utf8') } },
    settings: {
      evmVersion: 'shanghai',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none' },
      outputSelection: { 'Usdt.sol': { Usdt: ['evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  if (output.errors?.length) throw new Error(output.errors[0].formattedMessage)
  return `0x${output.contracts['Usdt.sol'].Usdt.evm.deployedBytecode.object}`
}

if (import.meta.main) console.log(JSON.stringify({ deployedBytecode: compileUsdt() }, null, 2))
