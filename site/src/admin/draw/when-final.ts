import { isRefusal } from '../frame/session.ts'

const everyMs = 2_000
const tries = 10

/** Retries for some seconds while the server only answers that a block or transaction is not final. */
export async function whenFinal<T>(act: () => Promise<T>, ...early: string[]): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await act()
    } catch (error) {
      if (tried === tries || !isRefusal(error, 'NOT_FINAL', 'TX_PENDING', ...early)) throw error
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
}
