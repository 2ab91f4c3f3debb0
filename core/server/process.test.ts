import { expect, test } from 'vitest'
import { shutdown } from './process.ts'

test('V1: leaves first, stops the server, closes its connections, and exits with 0', async () => {
  const { signal, told, exited } = aProcess()
  signal()
  expect(told).toEqual(['leave', 'stop'])
  expect(await exited).toBe(0)
  expect(told).toEqual(['leave', 'stop', 'close'])
})

test('V1: a second signal within a second asks the same, a later one ends it hard', async () => {
  const held = aProcess({ stop: new Promise(() => undefined) })
  held.signal()
  held.pass(1_000)
  held.signal()
  expect(held.told).toEqual(['leave', 'stop'])
  held.pass(1)
  held.signal()
  expect(await held.exited).toBe(1)
})

test('V1: a connection that cannot be closed well does not keep it', async () => {
  const { signal, exited } = aProcess({ close: Promise.reject(new Error('gone')) })
  signal()
  expect(await exited).toBe(0)
})

function aProcess({
  stop = Promise.resolve(),
  close = Promise.resolve(),
}: {
  stop?: Promise<void>
  close?: Promise<void>
} = {}) {
  const told: string[] = []
  const exited = Promise.withResolvers<number>()
  let time = 0
  const tell = (what: string, result: Promise<void>) => () => {
    told.push(what)
    return result
  }
  const signal = shutdown({
    name: 'api',
    log: { info: () => undefined, warn: () => undefined },
    leave: () => void told.push('leave'),
    drain: tell('stop', stop),
    close: tell('close', close),
    exit: (code) => exited.resolve(code),
    now: () => time,
  })
  const pass = (ms: number) => {
    time += ms
  }
  return { signal, told, exited: exited.promise, pass }
}
