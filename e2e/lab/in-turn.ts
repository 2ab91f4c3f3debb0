export type Task = { seconds: number; isHeavy: boolean }

/**
 * The order in which `workers`, each taking the next task when it is free, start the longest first and have one heavy
 * task at a time, as long as there are others: a browser draws with the processor and takes a core alone.
 */
export function inTurn<T extends Task>(tasks: readonly T[], workers: number): T[] {
  const longestFirst = tasks.toSorted((a, b) => b.seconds - a.seconds)
  const heavy = longestFirst.filter(({ isHeavy }) => isHeavy)
  const light = longestFirst.filter(({ isHeavy }) => !isHeavy)
  const freeAt = Array.from({ length: workers }, () => 0)
  const ordered: T[] = []
  let heavyUntil = 0
  while (ordered.length < tasks.length) {
    const now = Math.min(...freeAt)
    const task = (now >= heavyUntil && heavy.shift()) || light.shift() || heavy.shift()
    if (!task) break
    ordered.push(task)
    const end = now + task.seconds
    freeAt[freeAt.indexOf(now)] = end
    if (task.isHeavy) heavyUntil = Math.max(heavyUntil, end)
  }
  return ordered
}
