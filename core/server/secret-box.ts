import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** SECRET_KEY, and while it is being replaced the one before, which only reads what it has made. */
export type SecretKeys = { secretKey: string; secretKeyOld?: string | undefined }

/** A key for one purpose, derived from SECRET_KEY: a leaked key opens nothing else. */
const deriveKey = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'blockdraw', purpose, 32))

/** The same of both keys, the new one first. */
export const deriveKeys = (
  { secretKey, secretKeyOld }: SecretKeys,
  purpose: string,
): [Buffer, ...Buffer[]] => [
  deriveKey(secretKey, purpose),
  ...(secretKeyOld ? [deriveKey(secretKeyOld, purpose)] : []),
]

/** AES-256-GCM; a box is nonce (12), tag (16), ciphertext. `about` binds it to its row. */
export function secretBox(keys: SecretKeys) {
  const [key, ...older] = deriveKeys(keys, 'otp secrets')
  const openWith = (own: Buffer, box: Uint8Array, about: string): Buffer | undefined => {
    const decipher = createDecipheriv('aes-256-gcm', own, box.subarray(0, 12))
    decipher.setAAD(Buffer.from(about)).setAuthTag(box.subarray(12, 28))
    try {
      return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()])
    } catch {
      return undefined
    }
  }
  function seal(plain: Uint8Array, about: string): Uint8Array {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
    const text = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text])
  }

  return {
    seal,
    /** Undefined when the box was made under another key or for another row. */
    open(box: Uint8Array, about: string): Buffer | undefined {
      for (const own of [key, ...older]) {
        const plain = openWith(own, box, about)
        if (plain) return plain
      }
      return undefined
    },
    /** The box under the new key: `same` where it is, `lost` where neither key opens it. */
    renew(box: Uint8Array, about: string): Uint8Array | 'same' | 'lost' {
      if (openWith(key, box, about)) return 'same'
      const plain = this.open(box, about)
      return plain ? seal(plain, about) : 'lost'
    },
  }
}

export type SecretBox = ReturnType<typeof secretBox>

/** What the box of a channel's secret is bound to. */
export const channelRow = (id: number): string => `channel ${id}`
