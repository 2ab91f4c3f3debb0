/** Skeleton like a ticket's barcode: decoration from `seed`, not meant to be scanned. */
export function Skeleton({ seed, isLying = false }: { seed: string; isLying?: boolean }) {
  let state = 2166136261
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619)
  const bars: { at: number; wide: number }[] = []
  for (let at = 0; at < 118; ) {
    state = Math.imul(state ^ (state >>> 13), 1540483477) + 12345
    const wide = 1 + ((state >>> 8) % 4)
    bars.push({ at, wide: Math.min(wide, 120 - at) })
    at += wide + 1 + ((state >>> 16) % 3)
  }
  return (
    <svg
      width="100%"
      fill="var(--print)"
      viewBox={isLying ? '0 0 74 120' : '0 0 120 74'}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map(({ at, wide }) =>
        isLying ? (
          <rect key={at} y={at} height={wide} width="74" />
        ) : (
          <rect key={at} x={at} width={wide} height="74" />
        ),
      )}
    </svg>
  )
}
