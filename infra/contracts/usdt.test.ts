import { expect, test } from 'vitest'
import { compileUsdt } from './compile-usdt.ts'
import usdt from './usdt.json' with { type: 'json' }

test('the committed bytecode is what Usdt.sol compiles to', () => {
  expect(usdt.deployedBytecode).toBe(compileUsdt())
})
