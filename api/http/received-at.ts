const times = new WeakMap<Request, number>()

/** When a request arrived, by `performance.now()`; the current time for one that did not wait. */
export const receivedAt = (request: Request): number => times.get(request) ?? performance.now()

/** Call it before a request waits. */
export function noteReceivedAt(request: Request): void {
  times.set(request, performance.now())
}
