import type { Address, Hash, Hex } from 'viem'
import { isTemporary } from '../../core/errors.ts'
import { encodeIsValidSignature, isMagicValue } from '../../core/event/wallet-proof.ts'
import { isContractCode } from '../../core/refund/rules.ts'
import { answerWalletProof, openWalletProofs } from '../../db/event/wallet-proofs.ts'
import { noteHolder, unseenHolders } from '../../db/prize/claims.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

/** Reads once for each holder of a prize whether a contract signs for him: of other wallets nobody asks the
 * chain about a signature. A delegated account (EIP-7702) has its own key. Safe to run twice. */
export async function checkHolders({ db, chain }: Pick<Deps, 'db' | 'chain'>): Promise<void> {
  const holders = await unseenHolders(db)
  if (holders.length === 0) return
  const { number } = await chain.stateBlock(await chain.finalized())
  const codes = await chain.codes(holders, number)
  for (const [index, holder] of holders.entries()) await noteHolder(db, holder, isContractCode(codes[index]))
}

/** ERC-1271: the signer is a contract, and only the contract knows whether the signature is its own. It may
 * be a stranger's: a signature on which the nodes differ stays open, and the others are answered. */
export async function checkWalletProofs({
  db,
  chain,
  log,
}: Pick<Deps, 'db' | 'chain' | 'log'>): Promise<void> {
  for (const { id, wallet, digest, signature } of await openWalletProofs(db)) {
    const isGood = await accepts(chain, wallet, digest, signature).catch((err: unknown) => {
      if (!isTemporary(err)) throw err
      log.warn({ err, wallet }, 'a contract could not be asked about a signature')
      return undefined
    })
    if (isGood !== undefined) await answerWalletProof(db, id, isGood)
  }
}

async function accepts(chain: Chain, signer: Address, digest: Hash, signature: Hex): Promise<boolean> {
  const { number } = await chain.stateBlock(await chain.finalized())
  const answer = await chain.call({ to: signer, data: encodeIsValidSignature(digest, signature) }, number)
  return answer !== undefined && isMagicValue(answer)
}
