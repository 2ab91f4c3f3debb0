import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eachTestWithStorage } from '../../../../e2e/lab/browser-storage.ts'
import { $username, saveLanguage } from './session.ts'
import { writeToken } from './token.ts'

eachTestWithStorage()
beforeEach(() => writeToken('token'))
afterEach(() => $username.set(undefined))

const answers = (status: number, code: string) =>
  vi.stubGlobal('fetch', async () => Response.json({ code, error: 'refused', message: code }, { status }))

test('a language that the server refuses is the browser’s alone until the page knows who is there', async () => {
  answers(503, 'DB_UNAVAILABLE')
  await saveLanguage('en')
  answers(403, 'PASSWORD_CHANGE_REQUIRED')
  await saveLanguage('en')
  $username.set('admin')
  answers(503, 'DB_UNAVAILABLE')
  await expect(saveLanguage('en')).rejects.toMatchObject({ status: 503 })
})
