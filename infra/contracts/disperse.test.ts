import { expect, test } from 'vitest'
import { compileDisperse } from './compile-disperse.ts'
import disperse from './disperse.json' with { type: 'json' }

test('the committed bytecode is what Disperse.sol compiles to', () => {
  expect(disperse.bytecode).toBe(compileDisperse())
})
