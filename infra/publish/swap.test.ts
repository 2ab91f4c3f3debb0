import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { until } from '../../e2e/lab/until.ts'
import { recover, swapIn } from './swap.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'blockdraw-swap-'))
})
afterEach(() => rmSync(place, { recursive: true }))

const target = () => join(place, 'out')
const nameOf = (number: number) => number.toString(16).padStart(16, '0')
function make(name: string, text: string): string {
  const dir = join(place, name)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'index.html'), text)
  return dir
}
const page = () => readFileSync(join(target(), 'index.html'), 'utf8')

test('a folder takes the place of another, which stays until the next; a folder from before becomes a link', () => {
  make('out', 'first')
  let former = 'out.old'
  for (const number of [1, 2, 3]) {
    const name = `out.${nameOf(number)}`
    swapIn(make(name, `publication ${number}`), target())
    expect(page()).toBe(`publication ${number}`)
    expect(readdirSync(place).sort()).toEqual(['out', name, former].sort())
    former = name
  }
  recover(target())
  expect(readdirSync(place).sort()).toEqual(['out', former])
})

test('what others have beside it stays', () => {
  for (const name of ['out.backup', 'outer', 'out.0123']) make(name, 'mine')
  swapIn(make(`out.${nameOf(1)}`, 'new'), target())
  recover(target())
  expect(readdirSync(place).sort()).toEqual(
    ['out', `out.${nameOf(1)}`, 'out.0123', 'out.backup', 'outer'].sort(),
  )
})

test('stopped after the old folder was put aside, the next start puts it back', () => {
  make('out.old', 'old')
  make(`out.${nameOf(7)}`, 'half')
  recover(target())
  expect([page(), readdirSync(place)]).toEqual(['old', ['out']])
})

test('stopped before the link is replaced, what is served stays and the rest is taken away', () => {
  swapIn(make(`out.${nameOf(1)}`, 'served'), target())
  make(`out.${nameOf(2)}`, 'new')
  make(`out.${nameOf(3)}.0a1b2c3d.half`, 'half')
  recover(target())
  expect([page(), readdirSync(place).sort()]).toEqual(['served', ['out', `out.${nameOf(1)}`]])
})

test('whoever looks while it changes finds the old folder or the new one', async () => {
  swapIn(make(`out.${nameOf(0)}`, '0'), target())
  const counts = new Int32Array(new SharedArrayBuffer(8))
  const script = `const { existsSync } = require('node:fs')
    const { target, counts } = require('node:worker_threads').workerData
    for (;;) Atomics.add(counts, existsSync(target) ? 0 : 1, 1)`
  const looker = new Worker(script, { eval: true, workerData: { target: target(), counts } })
  onTestFinished(async () => void (await looker.terminate()))
  const looks = () => Atomics.load(counts, 0) + Atomics.load(counts, 1)
  for (let number = 1; number <= 60; number++) {
    swapIn(make(`out.${nameOf(number)}`, `${number}`), target())
    const before = looks()
    // The look that was under way ends, as nobody takes as long as two publications.
    await until(() => looks() > before + 1, 'It is looked for')
  }
  expect(Atomics.load(counts, 1)).toBe(0)
})
