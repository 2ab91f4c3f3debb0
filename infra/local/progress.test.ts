import { expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { summary } from './progress.ts'

const createdAdmin = { username: 'admin', password: 'hidden words', isOneTime: false }
const told = (created?: typeof createdAdmin) =>
  summary({ env: parseEnv({}), dataDir: '.data', chainUrl: 'http://127.0.0.1:8545', createdAdmin: created })

test('what the start says to type works where nothing but Node is installed', () => {
  for (const text of [told(), told(createdAdmin)]) {
    expect(text).toContain('npx --yes bun@1.4.5 run story')
    expect(text).not.toMatch(/(?<!bun@1\.4\.5 )\brun (admin|story|start)/)
  }
  expect(told()).toContain('npx --yes bun@1.4.5 run admin reset-password')
})

test('the first start leads to the one press that sets a draw date, a later one does not', () => {
  expect(told(createdAdmin)).toContain('press “바로 정하기” (Set one now)')
  expect(told()).not.toContain('바로 정하기')
})
