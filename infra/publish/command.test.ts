import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withFileLock } from '../local/lock.ts'
import { freePort } from '../local/ports.ts'

test('a publication waits for the one that is being made: it takes away none of what that works on', async () => {
  const place = mkdtempSync(join(tmpdir(), 'blockdraw-publish-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const out = join(place, 'out')
  const inWork = [`${out}.pictures`, `${out}.${'0a'.repeat(8)}.0a1b2c3d.half`]
  for (const dir of inWork) mkdirSync(dir)
  const command = [process.execPath, join(import.meta.dirname, 'command.ts'), out]
  const publishing = await withFileLock(`${out}.lock`, async () => {
    const started = Bun.spawn([...command, '--api', `http://127.0.0.1:${await freePort()}`], {
      stderr: 'pipe',
    })
    onTestFinished(() => started.kill())
    const { value } = await started.stderr.getReader().read()
    expect(new TextDecoder().decode(value)).toContain('is being published already')
    expect(inWork.map((dir) => existsSync(dir))).toEqual([true, true])
    return started
  })
  expect(await publishing.exited).toBe(1)
  expect(inWork.map((dir) => existsSync(dir))).toEqual([false, false])
})
