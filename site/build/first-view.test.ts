import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { firstView, isFirstView } from './first-view.ts'

const root = resolve(import.meta.dirname, '../..')

test('what the first view needs goes into one file, also after a module has moved', () => {
  const gone = firstView.filter(
    (path) => !existsSync(`${root}/${path}`) || !isFirstView.test(`${root}/${path}`),
  )
  expect(gone).toEqual([])
})

test('nothing else goes into it', () => {
  const others = ['core/live/state.ts', 'site/src/live/follow-state.test.ts', 'site/src/winner/prizes.ts']
  expect(others.filter((path) => isFirstView.test(`${root}/${path}`))).toEqual([])
})
