/** If calls overlap, only the last counts: each starts here and later asks whether it is still the last. */
export function latestOnly(): () => () => boolean {
  let last = 0
  return () => {
    last += 1
    const own = last
    return () => own === last
  }
}
