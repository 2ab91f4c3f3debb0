import keyIcon from 'lucide-static/icons/fingerprint-pattern.svg?raw'
import type { MouseEvent } from 'react'
import { t } from '../language/t.ts'
import { Button } from '../ui/action.tsx'
import { Trouble } from '../ui/error-text.ts'
import { type TextOptions, text } from '../ui/fields.tsx'

export const passwordField = (more: Partial<TextOptions> = {}) =>
  text({
    label: t('비밀번호'),
    type: 'password',
    autoComplete: 'current-password',
    missing: t('비밀번호를 입력하세요'),
    ...more,
  })
export const codeField = (more: Partial<TextOptions> = {}) =>
  text({
    label: t('2차 인증 코드'),
    hint: t('인증 앱의 6자리 코드를 입력하세요.'),
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    maxLength: 6,
    isMono: true,
    autoFocus: true,
    ...more,
  })

type Props = { isBusy: boolean; onClick: (event: MouseEvent<HTMLButtonElement>) => void }

export const PasskeyButton = (props: Props) => (
  <Button tone="edged" icon={keyIcon} {...props}>
    {t('패스키로 확인')}
  </Button>
)

type Signed = { id: string; clientDataJSON: string; authenticatorData: string; signature: string }

type Readers = {
  parseCreationOptionsFromJSON?: (json: unknown) => PublicKeyCredentialCreationOptions
  parseRequestOptionsFromJSON?: (json: unknown) => PublicKeyCredentialRequestOptions
}
const readers = (): Readers =>
  typeof PublicKeyCredential === 'function' ? (PublicKeyCredential as unknown as Readers) : {}

/** Browsers since the beginning of 2025 read the options themselves, so nothing of ours does. */
export const canUsePasskeys = (): boolean => {
  const { parseCreationOptionsFromJSON, parseRequestOptionsFromJSON } = readers()
  return Boolean(window.isSecureContext && parseCreationOptionsFromJSON && parseRequestOptionsFromJSON)
}

/** Asks the device for a new key. Throws Trouble when nobody confirmed it. */
export async function makePasskey(options: unknown) {
  const publicKey = readers().parseCreationOptionsFromJSON?.(options)
  if (!publicKey) throw new Trouble(t('이 브라우저에서는 패스키를 쓸 수 없습니다.'))
  const made = await confirmed(() => navigator.credentials.create({ publicKey }))
  const response = made.response as AuthenticatorAttestationResponse
  return {
    id: made.id,
    clientDataJSON: base64url(response.clientDataJSON),
    attestationObject: base64url(response.attestationObject),
    transports: response.getTransports(),
  }
}

export async function signWithPasskey(options: unknown): Promise<Signed> {
  const publicKey = readers().parseRequestOptionsFromJSON?.(options)
  if (!publicKey) throw new Trouble(t('이 브라우저에서는 패스키를 쓸 수 없습니다.'))
  const used = await confirmed(() => navigator.credentials.get({ publicKey }))
  const response = used.response as AuthenticatorAssertionResponse
  return {
    id: used.id,
    clientDataJSON: base64url(response.clientDataJSON),
    authenticatorData: base64url(response.authenticatorData),
    signature: base64url(response.signature),
  }
}

/** Browsers say the same for a cancelled dialog, a late answer and a key that is not there. */
async function confirmed(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const answer = await ask()
    if (answer) return answer as PublicKeyCredential
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw new Trouble(t('이 기기의 패스키는 이미 등록되어 있습니다.'))
    if (error instanceof DOMException && error.name === 'SecurityError')
      throw new Trouble(t('이 주소에서는 패스키를 쓸 수 없습니다. 사이트의 도메인으로 접속하세요.'))
    if (!(error instanceof DOMException)) throw error
  }
  throw new Trouble(t('패스키 확인이 취소되었거나 시간이 지났습니다.'))
}

const base64url = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
