import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { EnvError } from './env.ts'

/** SECRET_KEY, and while it is being replaced the one before, which only reads what it has made. */
export type SecretKeys = { secretKey: string; secretKeyOld?: string | undefined }

/** Keys for one purpose, that of SECRET_KEY first: a leaked key opens nothing else. */
function deriveKeys({ secretKey, secretKeyOld }: SecretKeys, purpose: string): [Buffer, ...Buffer[]] {
  const derive = (key: string) => Buffer.from(hkdfSync('sha256', key, 'blockdraw', purpose, 32))
  return [derive(secretKey), ...(secretKeyOld ? [derive(secretKeyOld)] : [])]
}

/** Signs texts for one purpose, by an HMAC as `written`; what either key has signed is right. */
export function signer(keys: SecretKeys, purpose: string, written: (mac: Buffer) => string) {
  const [key, ...older] = deriveKeys(keys, purpose)
  const signedWith = (own: Buffer, text: string): string =>
    written(createHmac('sha256', own).update(text).digest())
  return {
    sign: (text: string): string => signedWith(key, text),
    /** Takes as long whatever is wrong. */
    isSigned: (text: string, signature: string): boolean =>
      [key, ...older].some((own) => {
        const [given, right] = [Buffer.from(signature), Buffer.from(signedWith(own, text))]
        return given.length === right.length && timingSafeEqual(given, right)
      }),
  }
}

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

export const channelRow = (id: number): string => `channel ${id}`

/** Variables that can be given as a file too, as container engines and key stores provide secrets. @internal */
export const secretVariables = [
  'DATABASE_URL',
  'REDIS_URL',
  'RPC_URLS',
  'SECRET_KEY',
  'SECRET_KEY_OLD',
  'ANCHOR_KEY',
  'ADMIN_PASSWORD',
  'STORAGE_URL',
  'PGPASSWORD',
] as const
/** Those that a place may do without: an empty file is none. */
const spare: readonly string[] = ['ANCHOR_KEY']

/** The content of `NAME_FILE` as `NAME`, and PGUSER and PGPASSWORD in a DATABASE_URL without them. Throws EnvError. */
export function readSecretFiles(given: Record<string, string | undefined>) {
  const vars = { ...given }
  for (const name of secretVariables) {
    const variable = `${name}_FILE`
    const file = vars[variable]?.trim()
    if (!file) continue
    if (vars[name]?.trim()) throw new EnvError(variable, `and ${name} are both set: which one counts?`)
    vars[name] = read(variable, file, spare.includes(name))
  }
  const { DATABASE_URL: url, PGUSER, PGPASSWORD } = vars
  if (url && (PGUSER || PGPASSWORD) && URL.canParse(url))
    vars.DATABASE_URL = withLogin(url, PGUSER, PGPASSWORD)
  return vars
}

function withLogin(text: string, user: string | undefined, password: string | undefined): string {
  const url = new URL(text)
  if (user && !url.username) url.username = encodeURIComponent(user)
  if (password && !url.password) url.password = encodeURIComponent(password)
  return url.href
}

function read(variable: string, file: string, mayBeEmpty: boolean): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new EnvError(variable, `names ${file}, which cannot be read (${code}).`)
  }
  if (!text && !mayBeEmpty) throw new EnvError(variable, `names ${file}, which is empty.`)
  return text
}

const minLength = 32
const minCharacters = 8
const minSteps = 8
const minTriples = 16

/** As the end of a sentence. Random texts pass: of 28 million of 32 hexadecimal digits one has fewer than 8 different ones. */
export function weaknessOfSecret(secret: string): string | undefined {
  if (secret.length < minLength) return `must have at least ${minLength} characters.`
  const characters = [...secret]
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)))
  const triples = new Set(characters.slice(2).map((_, index) => characters.slice(index, index + 3).join('')))
  const isVaried =
    new Set(characters).size >= minCharacters &&
    // "abcdefgh…" has one step, and a short text over and over few triples.
    steps.size >= minSteps &&
    triples.size >= minTriples
  return isVaried ? undefined : 'is easy to guess: make one with `openssl rand -hex 32`.'
}
