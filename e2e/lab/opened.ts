import { afterAll, afterEach, beforeEach, onTestFinished } from 'vitest'

type Openable = object & { close?: () => unknown; stop?: () => unknown }

/** Closed after the last test of the file. */
export async function forFile<T extends Openable>(opening: T | Promise<T>): Promise<T> {
  const opened = await opening
  afterAll(() => close(opened))
  return opened
}

/** Closed after the test that calls this. */
export async function forTest<T extends Openable>(opening: T | Promise<T>): Promise<T> {
  const opened = await opening
  onTestFinished(async () => {
    await close(opened)
  })
  return opened
}

/** Opened anew before each test and closed after it; what this returns always stands for the newest. */
export function forEachTest<T extends Openable>(open: () => T | Promise<T>): T {
  let opened: T | undefined
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(async () => {
    if (opened) await close(opened)
    opened = undefined
  })
  const current = (): T => {
    if (!opened) throw new Error('It is opened before each test, not earlier.')
    return opened
  }
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(current(), key, current()),
    set: (_, key, value) => Reflect.set(current(), key, value),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(current(), key)
      return found && { ...found, configurable: true }
    },
  })
}

const close = (opened: Openable): unknown => (opened.close ?? opened.stop)?.call(opened)
