/** The "37" in "1 in 37", with one decimal below 10; both counts include the tickets to be bought. */
export function oneIn(mine: number, total: number): string {
  const share = total / mine
  return share < 10 ? (Math.round(share * 10) / 10).toString() : Math.round(share).toLocaleString('en-US')
}
