import { useState } from 'react'
import { failed } from '../session/session.ts'

/** An action of a button: `isBusy` while it runs, a toast with `title` if it fails. */
export function useAction<A extends unknown[]>(title: string, act: (...args: A) => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const run = async (...args: A) => {
    if (isBusy) return
    setBusy(true)
    try {
      await act(...args)
    } catch (error) {
      failed(title, error)
    } finally {
      setBusy(false)
    }
  }
  return [run, isBusy] as const
}
