import { getContractAddress, type Hex, keccak256, pad } from 'viem'
import { expect, test } from 'vitest'
import { deployer, register } from '../../core/chain/register.ts'
import raffleRegister from './raffle-register.json' with { type: 'json' }

// That the bytecode and the ABI in core are those of the source is looked at by `bun run check`, as it takes a compiler.
test('address and code hash of the register follow from its bytecode, the deployer and salt 0', () => {
  const { bytecode, deployedBytecode } = raffleRegister as Record<string, Hex>
  expect(register).toEqual({
    address: getContractAddress({
      ...{ opcode: 'CREATE2', from: deployer.address, salt: pad('0x') },
      bytecode: bytecode as Hex,
    }),
    codeHash: keccak256(deployedBytecode as Hex),
  })
})
