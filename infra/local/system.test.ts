import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { publisherEnv } from './system.ts'

test('a publisher that is told no address takes none from the .env of the folder it is started in', () => {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-env-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(
    join(dir, '.env'),
    'PUBLIC_SITE_URL=https://real.example\nPUBLIC_API_URL=https://api.real.example\n',
  )
  const script = 'console.log(process.env.PUBLIC_SITE_URL || "none", process.env.PUBLIC_API_URL || "none")'
  const { stdout } = Bun.spawnSync([process.execPath, '-e', script], {
    cwd: dir,
    env: publisherEnv(parseEnv({})),
  })
  expect(`${stdout}`.trim()).toBe('none none')
})
