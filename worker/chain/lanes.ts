/** Results in the order of `items`, at most `lanes` at a time; after a failure no further one is begun. */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await act(items[index] as T).catch((error) => {
        next = items.length
        throw error
      })
  }
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane))
  return results
}
