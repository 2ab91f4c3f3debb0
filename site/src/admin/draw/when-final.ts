import { isRefusal } from '../frame/session.ts'

const everyMs = 2_000
const tries = 10

/** Asks again for some seconds while the answer is only that the chain has not got so far. */
export async function whenFinal<T>(act: () => Promise<T>, ...early: string[]): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await act()
    } catch (error) {
      if (tried === tries || !isRefusal(error, 'NOT_FINAL', 'TX_PENDING', ...early)) throw error
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
}
