/** Addresses are compared without case: some are written with a checksum. */
export const isSameAddress = (a: string, b: string | undefined): boolean =>
  a.toLowerCase() === b?.toLowerCase()
