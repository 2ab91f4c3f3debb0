import { expect, onTestFinished, test, vi } from 'vitest'
import { afterWelcome } from './LoginForm.tsx'

test('the welcome stands for a second and a half, and a page that is left goes nowhere', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const go = vi.fn()
  afterWelcome(go)
  const giveUp = afterWelcome(() => expect.fail('It was given up.'))
  giveUp()
  vi.advanceTimersByTime(1_499)
  expect(go).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(go).toHaveBeenCalledOnce()
})
