type Payment = { id: number; to: string }

/**
 * True if a row goes to another address than in the list, which is what the administrator sees: it is not signed then.
 * Through the register rows beside the list may come along, to where a listed row goes.
 */
export function goesElsewhere(payments: readonly Payment[], listed: readonly Payment[]): boolean {
  const known = new Map(listed.map(({ id, to }) => [id, to.toLowerCase()]))
  const anywhere = new Set(known.values())
  return payments.some(({ id, to }) => {
    const place = known.get(id)
    return place === undefined ? !anywhere.has(to.toLowerCase()) : place !== to.toLowerCase()
  })
}
