import type { Address } from 'viem'
import { type AnchorKeyReport, anchorsLeft, fewAnchors } from '../../core/draw/anchor-key.ts'
import { anchorOfProof, countingAnchors } from '../../core/draw/anchored.ts'
import type { Event } from '../event/events.ts'
import type { Db } from '../index.ts'
import { readAnchorKey } from '../report/reports.ts'
import { commitmentOfEvent, foreignAnchors, listAnchors } from './anchors.ts'

/** What administrators see of an event's anchors and of the key that makes them; addresses in lower case. */
export async function readAnchorState(db: Db, event: Event) {
  const commitment = commitmentOfEvent(event) ?? null
  const [anchors, foreign, key] = await Promise.all([
    listAnchors(db, event.number),
    foreignAnchors(db, event),
    readAnchorKey(db),
  ])
  const operatorWallet = event.operatorWallet as Address
  const counting = new Set(countingAnchors(anchors, operatorWallet))
  const proven = commitment && anchorOfProof(anchors, { operatorWallet, commitment })
  return {
    eventNumber: event.number,
    anchorWallet: event.anchorWallet,
    commitment,
    /** Blocks up to the draw date are left whose anchors no endpoint has told: there may be others than these. */
    areUnread: event.anchorsUnreadFrom !== null,
    /** The one that the proof will name. */
    transactionHash: proven ? proven.transactionHash : null,
    anchors: anchors.map((anchor) => ({
      ...{ transactionHash: anchor.transactionHash, walletAddress: anchor.wallet },
      ...{ commitment: anchor.commitment, at: anchor.blockTime.toISOString() },
      counts: counting.has(anchor),
      isForeign: foreign.some(({ transactionHash }) => transactionHash === anchor.transactionHash),
    })),
    key: key ? { ...keyOf(key.facts), seenAt: key.at.toISOString() } : null,
  }
}

const keyOf = (facts: AnchorKeyReport) => ({
  ...{ walletAddress: facts.address, balanceWei: facts.balanceWei, register: facts.register },
  anchorsLeft: anchorsLeft(facts),
  isLow: anchorsLeft(facts) < fewAnchors,
})
