import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('the programs of the image are those of production, wherever they are bundled', () => {
  const out = mkdtempSync(join(tmpdir(), 'blockdraw-bundle-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const { NODE_ENV: _, ...env } = process.env
  const bundled = Bun.spawnSync([process.execPath, join(import.meta.dirname, 'bundle.ts'), out], { env })
  expect([bundled.exitCode, `${bundled.stderr}`]).toEqual([0, ''])
  expect(/isDevelopment = (.+?);?\n/.exec(readFileSync(join(out, 'api.js'), 'utf8'))?.[1]).toBe('false')
})
