import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Answer = {
  challenge: string
  /** Where the browser was. */
  origin: string
  /** Whom the key is for; the host name of the origin, unless said otherwise. */
  rpId?: string
  counter?: number
  /** False: nobody unlocked the device. */
  isVerified?: boolean
}

/** A device with one passkey, that signs whatever it is told to: honest or not, the server has to find out. */
export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  // A key of ES256 in COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])

  const clientData = (type: string, { challenge, origin }: Answer) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  function authenticatorData(answer: Answer, attested: Buffer = Buffer.alloc(0)): Buffer {
    const { origin, rpId = new URL(origin).hostname, counter = 0, isVerified = true } = answer
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
  }

  return {
    id,
    register(answer: Answer) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const data = authenticatorData(answer, Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]))
      // {fmt: 'none', attStmt: {}, authData: data}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return {
        id,
        clientDataJSON: clientData('webauthn.create', answer).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
    },
    sign(answer: Answer) {
      const client = clientData('webauthn.get', answer)
      const data = authenticatorData(answer)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        id,
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
    },
  }
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
