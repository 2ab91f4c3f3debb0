/** What was held and required behind a transaction; amounts are whole units as decimal text. */
export type Point = { at: string; block: number; held: string; required: string; cover: string }

/** One point before it is written, in the order of the chain. */
export type Measure = { at: number; block: bigint; held: bigint; required: bigint; cover: bigint }
type Numbered = Measure & { place: number }

/** Of each bucket the first point, the last, and both extremes of the cover; besides these the extremes of the other two. */
const mostBuckets = 120

/**
 * Points in the order of their coming, thinned to 500 at most while they come: the extremes of what was held, required and
 * covered are kept exactly, and neighbours are merged two by two when there are too many.
 */
export function openThinning() {
  let buckets: Numbered[][] = []
  let width = 1
  let filled = 0
  let place = 0
  const extremes = new Map<string, Numbered>()

  function keepExtremes(point: Numbered): void {
    for (const name of ['held', 'required'] as const) {
      const [low, high] = [extremes.get(`${name} low`), extremes.get(`${name} high`)]
      if (!low || point[name] < low[name]) extremes.set(`${name} low`, point)
      if (!high || point[name] > high[name]) extremes.set(`${name} high`, point)
    }
  }

  return {
    add(measure: Measure): void {
      const point = { ...measure, place: place++ }
      keepExtremes(point)
      const last = buckets.at(-1)
      if (last && filled < width) {
        buckets[buckets.length - 1] = digest([...last, point])
        filled++
        return
      }
      buckets.push([point])
      filled = 1
      if (buckets.length <= mostBuckets) return
      const merged: Numbered[][] = []
      for (let at = 0; at < buckets.length; at += 2)
        merged.push(digest([...(buckets[at] ?? []), ...(buckets[at + 1] ?? [])]))
      // An odd number: the newest bucket has no neighbour, and takes more.
      width *= 2
      buckets = merged
    },
    points(): Point[] {
      const all = new Map([...buckets.flat(), ...extremes.values()].map((point) => [point.place, point]))
      return [...all.values()]
        .sort((a, b) => a.place - b.place)
        .map(({ at, block, held, required, cover }) => ({
          ...{ at: new Date(at * 1000).toISOString(), block: Number(block) },
          ...{ held: `${held}`, required: `${required}`, cover: `${cover}` },
        }))
    },
  }
}

function digest(points: readonly Numbered[]): Numbered[] {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return []
  const lowest = points.reduce((low, point) => (point.cover < low.cover ? point : low))
  const highest = points.reduce((high, point) => (point.cover > high.cover ? point : high))
  return [...new Set([first, lowest, highest, last])].sort((a, b) => a.place - b.place)
}
