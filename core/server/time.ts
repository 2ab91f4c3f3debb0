import { setTimeout as sleep } from 'node:timers/promises'

/** Where code that waits takes its time from: a test has one that it moves by hand. */
export type Clock = {
  /** Milliseconds that only grow, from wherever. */
  now: () => number
  /** Resolves `ms` later, or as soon as `signal` is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)

export const realClock: Clock = { now: () => performance.now(), sleep: pause }

/** What `act` comes to, which is told by its signal when it has taken longer than `ms`. */
export async function within<T>(
  ms: number,
  act: (late: AbortSignal) => Promise<T>,
  { sleep }: Pick<Clock, 'sleep'> = realClock,
): Promise<T> {
  const [late, over] = [new AbortController(), new AbortController()]
  void sleep(ms, over.signal).then(() => over.signal.aborted || late.abort())
  try {
    return await act(late.signal)
  } finally {
    over.abort()
  }
}

/** After `ms` what `late` answers or throws. `work` is not stopped; what becomes of it then, an error too, is dropped. */
export function withDeadline<T, L>(
  ms: number,
  work: Promise<T>,
  late: () => L,
  { sleep }: Pick<Clock, 'sleep'> = realClock,
): Promise<T | L> {
  const over = new AbortController()
  const timeout = sleep(ms, over.signal).then<T | L>(() => (over.signal.aborted ? work : late()))
  return Promise.race([work, timeout]).finally(() => over.abort())
}

/** Looks every `everyMs` until there is something to be seen; undefined when `withinMs` have passed without. */
export async function poll<T>(
  look: () => Promise<T | undefined>,
  { withinMs, everyMs }: { withinMs: number; everyMs: number },
  { now, sleep }: Clock = realClock,
): Promise<T | undefined> {
  const deadline = now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined || now() >= deadline) return seen
    await sleep(everyMs)
  }
}

/** Does `work` until it succeeds. `again` is asked after each failure, counted from 1; its no throws the failure. */
export async function retry<T>(
  work: () => Promise<T>,
  again: (error: unknown, attempt: number) => boolean | Promise<boolean>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(await again(error, attempt))) throw error
    }
  }
}

const causeDepth = 5

/** An error and what caused it, the outermost first; five at most, as a cause may be its own cause. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let cause = error; cause && causes.length < causeDepth; cause = (cause as Error).cause)
    causes.push(cause)
  return causes
}

/** Whether an error, or what caused it, has one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  causesOf(error).some((cause) => codes.includes(String((cause as { code?: unknown }).code)))

export function stopwatch(): () => number {
  const began = performance.now()
  return () => Math.round(performance.now() - began)
}
