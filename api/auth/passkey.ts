import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import {
  addChallenge,
  addPasskey,
  listPasskeys,
  notePasskeyUse,
  type Passkey,
  takeChallenge,
} from '../../db/admin/passkeys.ts'
import type { Db } from '../../db/index.ts'
import { sha256Hex } from './caller.ts'

/** Whom a challenge is for. An answer counts for the same purpose, caller and site alone. */
export type PasskeyAsk = {
  adminId: number
  purpose: 'login' | 'reauth' | 'add'
  /** The hash of the session's token, or what tells this browser at the login. */
  boundTo: string
  /** The site's own, never what the answer says. */
  origin: string
}
/** What a device answers to a challenge, as base64url. */
export type PasskeyProof = {
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
}
type NewPasskey = {
  id: string
  clientDataJSON: string
  attestationObject: string
  transports: string[]
}

const rpIdOf = (origin: string): string => new URL(origin).hostname

/** As `PublicKeyCredential.parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON` take them. */
type Options = Record<string, unknown>

/** What a device signs to prove that it has one of the administrator's keys; undefined without a key of this site. */
export async function askForPasskey(db: Db, ask: PasskeyAsk): Promise<Options | undefined> {
  const keys = (await listPasskeys(db, ask.adminId)).filter(({ rpId }) => rpId === rpIdOf(ask.origin))
  if (keys.length === 0) return undefined
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(ask.origin),
    allowCredentials: keys.map(({ credentialId: id, transports }) => ({ id, transports })),
    userVerification: 'required',
    timeout: 120_000,
  })
  await addChallenge(db, { ...ask, hash: sha256Hex(options.challenge) })
  return { ...options }
}

export async function askForNewPasskey(
  db: Db,
  ask: PasskeyAsk,
  { rpName, username }: { rpName: string; username: string },
): Promise<Options> {
  const options = await generateRegistrationOptions({
    rpName,
    rpID: rpIdOf(ask.origin),
    userName: username,
    userID: new TextEncoder().encode(`blockdraw ${ask.adminId}`),
    attestationType: 'none',
    excludeCredentials: (await listPasskeys(db, ask.adminId)).map(({ credentialId: id, transports }) => ({
      id,
      transports,
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    timeout: 120_000,
  })
  await addChallenge(db, { ...ask, hash: sha256Hex(options.challenge) })
  return { ...options }
}

/** True when one of the administrator's keys has signed the challenge that was asked for, on this site, by a
 * person who unlocked it. The challenge is spent either way: the transaction has to be kept. */
export async function provesPasskey(tx: Db, ask: PasskeyAsk, proof: PasskeyProof): Promise<boolean> {
  const { id, ...response } = proof
  const challenge = challengeIn(proof)
  if (!challenge || !(await takeChallenge(tx, { ...ask, hash: sha256Hex(challenge) }))) return false
  const key = (await listPasskeys(tx, ask.adminId)).find(({ credentialId }) => credentialId === id)
  if (!key) return false
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challenge,
    expectedOrigin: ask.origin,
    expectedRPID: rpIdOf(ask.origin),
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(key.publicKey), counter: key.counter },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  return (
    verified && authenticationInfo !== undefined && notePasskeyUse(tx, key.id, authenticationInfo.newCounter)
  )
}

/** The stored key; undefined when the answer is not one to this challenge, or the key is somebody's already. */
export async function storeNewPasskey(
  tx: Db,
  ask: PasskeyAsk,
  { name, id, transports, ...response }: NewPasskey & { name: string },
): Promise<Passkey | undefined> {
  const challenge = challengeIn(response)
  if (!challenge || !(await takeChallenge(tx, { ...ask, hash: sha256Hex(challenge) }))) return undefined
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { ...response, transports },
    },
    expectedChallenge: challenge,
    expectedOrigin: ask.origin,
    expectedRPID: rpIdOf(ask.origin),
    requireUserVerification: true,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo) return undefined
  const { credential } = registrationInfo
  return addPasskey(tx, {
    adminId: ask.adminId,
    name,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports,
    rpId: rpIdOf(ask.origin),
  })
}

/** The challenge that the answer says it is for; whether it was asked, the database knows. */
function challengeIn({ clientDataJSON }: { clientDataJSON: string }): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
