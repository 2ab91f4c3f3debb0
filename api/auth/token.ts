import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits; only their SHA-256 is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The hash of the bearer token of a request; undefined without one. */
export function bearerHash(request: Request): string | undefined {
  const token = /^Bearer ([\w-]{20,100})$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  return token && sha256Hex(token)
}
