import { killChildren, stopChildren } from './child.ts'

/** A terminal and the runners above us each send the signal, so two within a second are one. */
const sameSignalMs = 1_000
const deadlineMs = 20_000

/**
 * The first signal stops every child in order and ends with code 0; a second one after more than a second,
 * or 20 seconds, end everything at once. `atEnd` runs last in any case.
 */
export function stopper(atEnd: () => void) {
  let begun: { at: number; done: Promise<never> } | undefined

  const stop = (code: number): Promise<never> => {
    if (begun) return begun.done
    setTimeout(endNow, deadlineMs)
    const done = stopChildren().then((): never => {
      atEnd()
      process.exit(code)
    })
    begun = { at: Date.now(), done }
    return done
  }
  const onSignal = () => {
    if (begun && Date.now() - begun.at > sameSignalMs) return endNow()
    if (begun) return
    console.log('\nStopping …')
    void stop(0).catch(endNow)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  return { stop, isStopping: () => begun !== undefined }

  function endNow(): never {
    killChildren()
    atEnd()
    process.exit(1)
  }
}
