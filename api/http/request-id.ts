const ids = new WeakMap<Request, string>()

/** One id per request: in the answer, the log and the audit row. */
export function requestIdOf(request: Request): string {
  const known = ids.get(request)
  if (known) return known
  const id = crypto.randomUUID()
  ids.set(request, id)
  return id
}
