import type { Logger } from 'pino'
import type { Address, Hash, Hex } from 'viem'
import { isTemporary, RaffleError } from '../../core/errors.ts'
import { encodeIsValidSignature, isMagicValue, readdressDigests } from '../../core/refund/signature.ts'
import { answerWalletProof, openWalletProofs } from '../../db/event/wallet-proofs.ts'
import { answerReaddress, openReaddresses, wishOf } from '../../db/refund/decisions.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

/**
 * ERC-1271: the signer is a contract, and only the contract knows whether the signature is its own. It may be a
 * stranger's: a signature on which the nodes differ stays open, and the others are answered.
 */
export async function checkSignatures(deps: Pick<Deps, 'db' | 'chain' | 'log'>): Promise<void> {
  await checkWishes(deps)
  await checkWalletProofs(deps)
}

async function checkWishes({ db, chain, log }: Pick<Deps, 'db' | 'chain' | 'log'>): Promise<void> {
  for (const { id, rowId, recipient, signature } of await openReaddresses(db)) {
    const wish = await wishOf(db, rowId, recipient).catch(unlessRefused)
    const isGood =
      wish &&
      (await accepts(chain, {
        ...{ signer: wish.payer, signature },
        digests: readdressDigests(wish).map(({ digest }) => digest),
      }).catch(notNow(log, { rowId })))
    if (wish && isGood === undefined) continue
    await db.transaction((tx) => answerReaddress(tx, id, isGood ? 'contract' : null))
  }
}

async function checkWalletProofs({ db, chain, log }: Pick<Deps, 'db' | 'chain' | 'log'>): Promise<void> {
  for (const { id, wallet, digest, signature } of await openWalletProofs(db)) {
    const asked = { signer: wallet, digests: [digest], signature }
    const isGood = await accepts(chain, asked).catch(notNow(log, { wallet }))
    if (isGood !== undefined) await answerWalletProof(db, id, isGood)
  }
}

async function accepts(
  chain: Chain,
  { signer, digests, signature }: { signer: Address; digests: readonly Hash[]; signature: Hex },
): Promise<boolean> {
  const { number } = await chain.stateBlock(await chain.finalized())
  for (const digest of digests) {
    const call = { to: signer, data: encodeIsValidSignature(digest, signature) }
    const answer = await chain.call(call, number)
    if (answer !== undefined && isMagicValue(answer)) return true
  }
  return false
}

/** The row was settled or is on its way meanwhile. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof RaffleError)) throw error
}

const notNow =
  (log: Logger, about: object) =>
  (err: unknown): undefined => {
    if (!isTemporary(err)) throw err
    log.warn({ err, ...about }, 'a contract could not be asked about a signature')
  }
