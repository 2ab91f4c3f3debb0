const arrivals = new WeakMap<Request, number>()

/** When a request came to the door, on the clock of `performance.now()`; now for one that did not wait there. */
export const arrivalOf = (request: Request): number => arrivals.get(request) ?? performance.now()

/** For a request that is about to wait. */
export function noteArrival(request: Request): void {
  arrivals.set(request, performance.now())
}
