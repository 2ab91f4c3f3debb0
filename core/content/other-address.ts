import type { Address } from 'viem'
import { RaffleError } from '../errors.ts'

/** An address has 40 digits, and a hash 64: of a longer run somebody may copy the first 40. */
const addresses = /0x[0-9a-f]{40,}/gi
const hashLength = 66
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Throws INVALID_VALUE, with its field, for the first text of a value that names another address than the operator wallet:
 * visitors would pay to what a page shows. `name` is the value's own field, empty for a whole body.
 */
export function refuseOtherAddress(value: unknown, wallet: Address | null | undefined, name = ''): void {
  if (typeof value === 'string') {
    const plain = value.normalize('NFKC').replaceAll(ignorable, '').toLowerCase()
    const found = plain.match(addresses)?.find((one) => one !== wallet && one.length !== hashLength)
    if (found)
      throw new RaffleError(
        'INVALID_VALUE',
        `${name}: 운영자 지갑이 아닌 주소는 공개되는 글에 쓸 수 없습니다: ${found.slice(0, 42)}`,
        {},
        { field: name },
      )
  } else if (typeof value === 'object' && value !== null)
    for (const [field, inside] of Object.entries(value))
      refuseOtherAddress(inside, wallet, name ? `${name}.${field}` : field)
}
