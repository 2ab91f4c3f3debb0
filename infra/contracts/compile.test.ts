import { readFileSync } from 'node:fs'
import { type Abi, getContractAddress, type Hex, keccak256, pad } from 'viem'
import { expect, test } from 'vitest'
import { deployer, register, registerAbi } from '../../core/chain/register.ts'
import { bytecodeFiles, compile } from './compile.ts'
import raffleRegister from './raffle-register.json' with { type: 'json' }

test('the committed bytecode is what Usdt.sol and RaffleRegister.sol compile to', () => {
  const files = bytecodeFiles()
  expect(files).toHaveLength(2)
  for (const { file, text } of files) expect(readFileSync(file, 'utf8')).toBe(text)
})

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

test('the ABI in core is that of the source, with its names', () => {
  const { RaffleRegister } = compile(new URL('RaffleRegister.sol', import.meta.url))
  expect(shapes(registerAbi)).toEqual(shapes(RaffleRegister?.abi ?? []))
})

/** One line an entry; the names of a getter's parameters are the mapping's. */
const shapes = (abi: Abi): string[] =>
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
