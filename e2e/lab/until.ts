/**
 * Resolves when `holds` does, polled until then, and returns the milliseconds it took. After the limit it
 * rejects and names what did not happen. The longer it takes, the seldomer it looks: a look often asks a database or a
 * page, which take the processor from what is waited for.
 */
export async function until(
  holds: () => unknown,
  what: string | (() => string) = 'The condition',
  limitMs = 60_000,
): Promise<number> {
  const began = performance.now()
  while (!(await holds())) {
    if (performance.now() - began > limitMs)
      throw new Error(`${typeof what === 'string' ? what : what()}: not within ${limitMs / 1000} s.`)
    await Bun.sleep(Math.min(50, 10 + (performance.now() - began) / 20))
  }
  return performance.now() - began
}
