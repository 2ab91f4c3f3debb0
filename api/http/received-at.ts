const times = new WeakMap<Request, number>()

/** When a request came in, on the clock of `performance.now()`; now for one that did not wait. */
export const receivedAt = (request: Request): number => times.get(request) ?? performance.now()

/** For a request that is about to wait. */
export function noteReceivedAt(request: Request): void {
  times.set(request, performance.now())
}
