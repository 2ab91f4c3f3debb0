import { readFileSync } from 'node:fs'
import solc from 'solc'
import type { Hex } from 'viem'

/** Creation bytecode of Disperse.sol. `bun infra/contracts/compile-disperse.ts > infra/contracts/disperse.json` commits it. */
export function compileDisperse(): Hex {
  const input = {
    language: 'Solidity',
    sources: {
      'Disperse.sol': { content: readFileSync(new URL('Disperse.sol', import.meta.url), 'utf8') },
    },
    settings: {
      evmVersion: 'shanghai',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none' },
      outputSelection: { 'Disperse.sol': { Disperse: ['evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  if (output.errors?.length) throw new Error(output.errors[0].formattedMessage)
  return `0x${output.contracts['Disperse.sol'].Disperse.evm.bytecode.object}`
}

if (import.meta.main) console.log(JSON.stringify({ bytecode: compileDisperse() }, null, 2))
