import {
  type BeaconNetwork,
  beaconDepth,
  beaconRoundOf,
  isSignatureOf,
  quicknet,
  randomnessOf,
  roundTime,
} from '../draw/beacon.ts'
import type { Proof, ProofBeacon } from '../draw/proof.ts'
import { AnswerError, drawBlockOf, getFinal, problemOfBlock } from './chain.ts'
import { differing, failed, open, passed, type Rpc, type VerifyResult } from './steps.ts'

/** The network of the proof's chain hash, which commits to its key. Undefined for one that nobody here trusts. */
const networkOf = ({ chainHash }: ProofBeacon, local: BeaconNetwork | undefined): BeaconNetwork | undefined =>
  [quicknet, local].find((network) => network?.chainHash === chainHash)

/** The rule: which round, and which block decided when the chain was slow. Of the chain it needs one header. */
export async function checkBeaconRound(
  proof: Proof,
  drawDate: number,
  local: BeaconNetwork | undefined,
  rpc: Rpc | undefined,
): Promise<VerifyResult> {
  const step = 'beacon-round'
  const beacon = proof.beacon as ProofBeacon
  const network = networkOf(beacon, local)
  if (!network) return open(step, 'beaconUnknown', {})
  const { after } = beacon
  const depth = drawBlockOf(proof).number + beaconDepth
  const wrong = differing(step, { number: depth }, after, 'beacon.after.')
  if (wrong) return wrong
  const round = beaconRoundOf(drawDate, after.timestamp, network)
  const due = roundTime(round, network)
  const other = differing(step, { round, time: due }, beacon, 'beacon.')
  if (other) return other
  if (!rpc) return open(step, 'noEndpoint', {})
  const problem = await problemOfBlock(rpc, step, after)
  if (problem) return problem
  if ((await getFinal(rpc)).number < depth) throw new AnswerError(`Block ${depth} is not final.`)
  const seconds = due - drawDate
  return after.timestamp < drawDate + network.gapSeconds
    ? passed(step, 'roundByDate', { round, seconds })
    : passed(step, 'roundByBlock', { round, seconds, block: depth })
}

/** The signature by the network's key: nobody can make one but the network, and it cannot make another. */
export async function checkBeacon(beacon: ProofBeacon, local: BeaconNetwork | undefined) {
  const step = 'beacon'
  const network = networkOf(beacon, local)
  if (!network) return failed(step, 'otherBeacon', { expected: quicknet.chainHash, actual: beacon.chainHash })
  const found = { network: network.name, randomness: randomnessOf(beacon.signature) }
  const wrong = differing(step, found, beacon, 'beacon.')
  if (wrong) return wrong
  const { round } = beacon
  return (await isSignatureOf(beacon.signature, round, network))
    ? passed(step, 'beaconRight', { round })
    : failed(step, 'badSignature', { round })
}
