import { isContractCode } from '../../core/refund/rules.ts'
import { noteHolder, unseenHolders } from '../../db/prize/holders.ts'
import type { Deps } from '../deps.ts'

/**
 * Reads once for each holder of a prize whether a contract signs for him: of other wallets nobody asks the chain about a
 * signature. A delegated account (EIP-7702) has its own key. Safe to run twice.
 */
export async function checkHolders({ db, chain }: Pick<Deps, 'db' | 'chain'>): Promise<void> {
  const holders = await unseenHolders(db)
  if (holders.length === 0) return
  const { number } = await chain.stateBlock(await chain.finalized())
  const codes = await chain.codes(
    holders.map(({ wallet }) => wallet),
    number,
  )
  for (const [index, holder] of holders.entries()) await noteHolder(db, holder, isContractCode(codes[index]))
}
