import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381'
import { bytesToHex, type Hex, numberToHex, sha256 } from 'viem'
import { type BeaconNetwork, randomnessOf, roundTime, signatureDomain } from '../../core/draw/beacon.ts'
import { localBeacon } from '../../core/draw/local-beacon.ts'
import { rpc } from './rpc.ts'

/** What is wrong with the relay; `late`: its rounds come so many seconds after their time. */
export type RelayFault =
  | { kind: 'late'; seconds: number }
  | {
      kind: /** It makes no round until it is healed, and then the missed ones too. */
      'missing' | 'error' | 'html' | 'hangs' | 'huge' | 'redirects' | 'other-round' | 'wrong-key' | 'lies'
    }

export type LocalBeacon = {
  url: string
  network: BeaconNetwork
  /** What it serves from now on; undefined: every round, once it is due. */
  fault: RelayFault | undefined
  sign: (round: number) => Hex
  /** How many rounds it was asked for. */
  asked: () => number
  stop: () => Promise<void>
}

type Options = {
  /** Any text; the same one has the same key. */
  secret: string | bigint
  /** Seconds since 1970; of a local chain its newest block time, so that one travel in time moves both. */
  now: () => Promise<number>
  /** As BeaconNetwork has it; drand's own gap is a minute. */
  gapSeconds?: number
}

/** A drand relay and its whole network on this machine, with a key of its own. */
export function startBeacon({ secret, now, gapSeconds }: Options): LocalBeacon {
  const key = scalarOf(secret)
  const publicKey = bytesToHex(bls12_381.getPublicKeyForShortSignatures(key))
  const network = { ...localBeacon(publicKey), ...(gapSeconds !== undefined && { gapSeconds }) }
  let asked = 0
  const own: LocalBeacon = {
    ...{ url: '', network, fault: undefined },
    sign: (round) => signRound(round, key),
    asked: () => asked,
    stop: async () => void (await server.stop(true)),
  }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async ({ url }) => {
      const path = new URL(url).pathname
      if (path === `/${hash}/info`) return answer(infoOf(network))
      const round = Number(rounds.exec(path)?.[1] ?? 0)
      if (!round) return missing()
      asked += 1
      return answerRound(own, round, key, await now())
    },
  })
  const hash = network.chainHash.slice(2)
  const rounds = new RegExp(`^/${hash}/public/([1-9]\\d{0,14})$`)
  own.url = `http://127.0.0.1:${server.port}`
  return own
}

/** The time of the newest block, in seconds. */
export const newestBlockTime = async (rpcUrl: string): Promise<number> =>
  Number((await rpc<{ timestamp: string }>(rpcUrl, 'eth_getBlockByNumber', ['latest', false])).timestamp)

function answerRound({ fault, network }: LocalBeacon, round: number, key: bigint, now: number) {
  const late = fault?.kind === 'late' ? fault.seconds : 0
  if (fault?.kind === 'hangs') return new Promise<Response>(() => undefined)
  if (fault?.kind === 'error') return new Response('out of order', { status: 500 })
  if (fault?.kind === 'html') return new Response('<!doctype html><title>502</title>', htmlHeaders)
  if (fault?.kind === 'huge') return new Response('7'.repeat(1_000_000))
  if (fault?.kind === 'redirects')
    return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
  if (fault?.kind === 'missing' || now < roundTime(round, network) + late) return missing()
  const isOther = fault?.kind === 'other-round'
  const signature = signRound(isOther ? round - 1 : round, fault?.kind === 'wrong-key' ? key + 1n : key)
  const randomness = fault?.kind === 'lies' ? `0x${'ab'.repeat(32)}` : randomnessOf(signature)
  return answer({ round, randomness: randomness.slice(2), signature: signature.slice(2) })
}

const answer = (value: unknown) => Response.json(value, { headers: { 'access-control-allow-origin': '*' } })
const missing = () => new Response(null, { status: 404, headers: { 'access-control-allow-origin': '*' } })
const htmlHeaders = { headers: { 'content-type': 'text/html' } }

const infoOf = ({ publicKey, period, genesis, chainHash, name }: BeaconNetwork) => ({
  ...{ public_key: publicKey.slice(2), period, genesis_time: genesis, hash: chainHash.slice(2) },
  groupHash: createHash('sha256').update(name).digest('hex'),
  ...{ schemeID: 'bls-unchained-g1-rfc9380', metadata: { beaconID: name } },
})

function signRound(round: number, key: bigint): Hex {
  const message = sha256(numberToHex(round, { size: 8 }), 'bytes')
  return bytesToHex(bls12_381.signShortSignature(message, key, { DST: signatureDomain }))
}

const order = bls12_381.fields.Fr.ORDER
const scalarOf = (secret: string | bigint): bigint =>
  typeof secret === 'bigint' ? secret : (BigInt(sha256(new TextEncoder().encode(secret))) % (order - 1n)) + 1n
