import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actionTexts, isDone } from './AuditLog.tsx'

const api = join(import.meta.dirname, '../../../../api')

/** Names of the actions in the routes. */
function actionsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('test.ts'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/(?:\baction: |decision\(\s*)'([^']+)'/g),
    ])
    .map(([, action]) => action as string)
}

/** The commands of the break-glass tool that leave a row. */
const commands = [
  ...readFileSync(join(import.meta.dirname, '../../../../infra/cli/admin.ts'), 'utf8').matchAll(
    /^ {2}'?([a-z-]+)'?: \{\s+takes/gm,
  ),
].map(([, name]) => `cli.${name}`)

test('the audit log has a Korean name for every action', () => {
  const actions = [...new Set(actionsOf(api))].sort()
  expect(actions.length).toBeGreaterThan(20)
  expect(commands.length).toBeGreaterThanOrEqual(7)
  expect(Object.keys(actionTexts).sort()).toEqual(['refused', ...actions, ...commands].sort())
})

test('a successful command on the server counts as done, as a call does', () => {
  expect(['200', '204', 'cli'].every(isDone)).toBe(true)
  expect(['409', '503', 'cli refused'].some(isDone)).toBe(false)
})
