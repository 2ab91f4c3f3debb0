import type { Readable } from 'node:stream'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { toNode, toWeb } from './streams.ts'

/** Encrypts by age (age-encryption.org/v1): whoever holds the key of one of the recipients can read it. */
export async function sealed(plain: Readable, recipients: readonly string[]): Promise<Readable> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return toNode(await encrypter.encrypt(toWeb(plain)))
}

/** Throws when none of the identities (`AGE-SECRET-KEY-1…`) opens it; a damaged file fails while it is read. */
export async function unsealed(cipher: Readable, identities: readonly string[]): Promise<Readable> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return toNode(await decrypter.decrypt(toWeb(cipher)))
}

/** Throws for what is no recipient of age. */
export const expectRecipient = (text: string): void => new Encrypter().addRecipient(text)

/** A key that lives in this process alone. */
export async function passingKey(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** The identities in a file that `age-keygen` wrote. */
export const identitiesIn = (text: string): string[] => text.match(/^AGE-SECRET-KEY-\S+$/gm) ?? []
