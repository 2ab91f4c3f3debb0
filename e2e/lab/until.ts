/** Milliseconds until `holds` does, polled ever seldomer; rejects after the limit and names what did not happen. */
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
