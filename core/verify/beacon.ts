import {
  type BeaconNetwork,
  beaconDepth,
  beaconGapSeconds,
  beaconRoundOf,
  isSignatureOf,
  quicknet,
  randomnessOf,
  roundTime,
} from '../draw/beacon.ts'
import type { Proof, ProofBeacon } from '../draw/proof.ts'
import { problemOfBlock } from './blocks.ts'
import { AnswerError, getFinal } from './chain.ts'
import { failed, passed, type Rpc, skipped, type VerifyResult } from './steps.ts'

/** The network of the proof's chain hash, which commits to its key. Undefined for one that nobody here trusts. */
const networkOf = ({ chainHash }: ProofBeacon, local: BeaconNetwork | undefined): BeaconNetwork | undefined =>
  [quicknet, local].find((network) => network?.chainHash === chainHash)

/** The rule: which round, and which block decided when the chain was slow. Of the chain it needs one header. */
export async function checkBeaconRound(
  proof: Proof,
  beacon: ProofBeacon,
  local: BeaconNetwork | undefined,
  rpc: Rpc | undefined,
): Promise<VerifyResult> {
  const step = 'beacon-round'
  const network = networkOf(beacon, local)
  if (!network) return skipped(step, 'The beacon is not known, nor when its rounds are due.')
  const { after } = beacon
  const drawDate = Date.parse(proof.drawDate) / 1000
  const depth = (proof.blocks.at(-1)?.number ?? 0) + beaconDepth
  if (after.number !== depth)
    return failed(step, `Another block is ${beaconDepth} behind the draw block.`, depth, after.number)
  const round = beaconRoundOf(drawDate, after.timestamp, network)
  if (beacon.round !== round) return failed(step, 'The rule names another round.', round, beacon.round)
  const due = roundTime(round, network)
  if (beacon.time !== due) return failed(step, 'The round is due at another time.', due, beacon.time)
  if (!rpc) return skipped(step, 'No endpoint was given.')
  const problem = await problemOfBlock(rpc, after)
  if (problem) return failed(step, problem.text, problem.expected, problem.actual)
  if ((await getFinal(rpc)).number < depth) throw new AnswerError(`Block ${depth} is not final.`)
  return passed(
    step,
    after.timestamp < drawDate + beaconGapSeconds
      ? `Round ${round}, due ${due - drawDate} s after the draw date: named by the draw date.`
      : `Round ${round}, due ${due - drawDate} s after the draw date: named by the time of block ${depth}.`,
  )
}

/** The signature by the network's key: nobody can make one but the network, and it cannot make another. */
export async function checkBeacon(
  beacon: ProofBeacon,
  local: BeaconNetwork | undefined,
): Promise<VerifyResult> {
  const step = 'beacon'
  const network = networkOf(beacon, local)
  if (!network)
    return failed(step, "This is another beacon than drand's quicknet.", quicknet.chainHash, beacon.chainHash)
  if (beacon.network !== network.name)
    return failed(step, 'The beacon has another name.', network.name, beacon.network)
  const randomness = randomnessOf(beacon.signature)
  if (randomness !== beacon.randomness)
    return failed(step, 'The randomness is not the SHA-256 of the signature.', randomness, beacon.randomness)
  if (!(await isSignatureOf(beacon.signature, beacon.round, network)))
    return failed(step, `It is not the signature of round ${beacon.round} by the beacon's key.`)
  return passed(step, `Signature of round ${beacon.round} by the key of ${network.name}.`)
}
