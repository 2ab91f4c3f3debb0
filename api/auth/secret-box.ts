import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A key for one purpose, derived from SECRET_KEY: a leaked key opens nothing else. */
export const deriveKey = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'blockdraw', purpose, 32))

/** AES-256-GCM; a box is nonce (12), tag (16), ciphertext. `about` binds it to its row. */
export function secretBox(secretKey: string) {
  const key = deriveKey(secretKey, 'otp secrets')
  return {
    seal(plain: Uint8Array, about: string): Uint8Array {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    /** Undefined when the box was made under another SECRET_KEY or for another row. */
    open(box: Uint8Array, about: string): Buffer | undefined {
      const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12))
      decipher.setAAD(Buffer.from(about)).setAuthTag(box.subarray(12, 28))
      try {
        return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}

export type SecretBox = ReturnType<typeof secretBox>
