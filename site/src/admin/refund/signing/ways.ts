import type { Eip1193 } from '../../../wallet/eip1193.ts'
import { canBatch } from './batch.ts'
import type { Delivery } from './deliver.ts'
import type { Preflight } from './preflight.ts'
import type { ClaimedRow, SigningPath, Terms } from './types.ts'

type Deps = { provider: Eip1193; terms: Terms; path?: SigningPath }

/** The path and size of the next request, by what the wallet and the chain have refused in this run. */
export function createWays({ provider, terms, path }: Deps, most: Record<SigningPath, number>) {
  const sizes = { ...most }
  const impossible = new Set<SigningPath | 'register-batch'>()
  const wanted = () => (path && !impossible.has(path) ? path : undefined)
  const takesBatches = () => canBatch(provider, terms.wallet, terms.chainId)

  return {
    /** What the administrator chose, as long as the wallet can do it. */
    wanted,
    /** Undefined where the register was chosen and is not there: transfers are not what was agreed to. */
    choose: async (
      { register }: Pick<Preflight, 'register'>,
      count: number,
    ): Promise<SigningPath | undefined> => {
      const chosen = wanted()
      if (chosen) return chosen !== 'register' || register === 'ready' ? chosen : undefined
      // Who has chosen transfers gets transfers.
      if (register === 'ready' && !path) return 'register'
      if (count === 1) return 'single'
      return !impossible.has('batch') && (await takesBatches()) ? 'batch' : 'single'
    },
    size: (path: SigningPath): number => sizes[path],
    /** Whether allowance and call go to the wallet as one request. */
    canBatch: async (): Promise<boolean> => !impossible.has('register-batch') && (await takesBatches()),
    /** Answers rows that the chain does not take even alone: the others go without them. */
    learn: (path: SigningPath, rows: readonly ClaimedRow[], { retry }: Delivery): number[] => {
      if (retry === 'no-batch') impossible.add('register-batch')
      if (retry === 'other-path') impossible.add(path)
      if (retry !== 'smaller') return []
      const tried = Math.min(sizes[path], rows.length)
      if (path === 'register' && tried === 1) {
        sizes.register = most.register
        return rows.map(({ id }) => id)
      }
      sizes[path] = Math.ceil(tried / 2)
      return []
    },
  }
}
