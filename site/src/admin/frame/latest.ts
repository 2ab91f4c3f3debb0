/** Of calls that overlap the last one counts: each begins with this and then asks whether it still is the last. */
export function latestOnly(): () => () => boolean {
  let last = 0
  return () => {
    last += 1
    const own = last
    return () => own === last
  }
}
