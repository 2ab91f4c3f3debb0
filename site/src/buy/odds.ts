/** "37" of "1 in 37": one decimal while that says more; both counts include the tickets to be bought. */
export function oneIn(mine: number, total: number): string {
  const share = total / mine
  return share < 10 ? (Math.round(share * 10) / 10).toString() : Math.round(share).toLocaleString('en-US')
}
