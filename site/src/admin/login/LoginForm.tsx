import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import shieldIcon from 'lucide-static/icons/shield-ban.svg?raw'
import { useEffect, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Muted, Row } from '../../shell/Layout.tsx'
import { HomeLink, LanguageButton, ThemeButton } from '../desk/Bar.tsx'
import { t, writeLanguage } from '../language/t.ts'
import {
  canUsePasskeys,
  codeField,
  PasskeyButton,
  passwordField,
  signWithPasskey,
} from '../passkey/second-factor.tsx'
import { AdminError, answerOf, api, type DataOf, isRefusal, within } from '../session/session.ts'
import { putOff, writeToken } from '../session/token.ts'
import { Button } from '../ui/action.tsx'
import { Copied } from '../ui/address.tsx'
import { Note, Retry } from '../ui/card.tsx'
import { Cancelled, errorText, errorTexts, Trouble } from '../ui/error-text.ts'
import { text } from '../ui/fields.tsx'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import styles from './login.module.css'

export function Login({ notice }: { notice: string | undefined }) {
  const [access, setAccess] = useState<Access>({ state: 'checking' })
  const [isIn, setIn] = useState(false)
  const check = async () => {
    setAccess({ state: 'checking' })
    setAccess(await checkAccess())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    void check()
  }, [])
  return (
    <div className={styles.page}>
      <header className={`row spread ${styles.bar}`}>
        <HomeLink />
        <Row as="span">
          <LanguageButton />
          <ThemeButton />
        </Row>
      </header>
      <main id="main" className={`stack gap-16 ${styles.main}`}>
        {notice && !isIn && <Note role="status">{notice}</Note>}
        {isIn ? (
          <Welcome />
        ) : access.state === 'blocked' ? (
          <Blocked ip={access.ip} onRetry={check} />
        ) : (
          <LoginForm access={access} onRetry={check} onIn={() => setIn(true)} />
        )}
      </main>
    </div>
  )
}

function Welcome() {
  useEffect(() => afterWelcome(() => location.assign('/admin')), [])
  return (
    <section className="card stack gap-16" role="status">
      <Icon svg={checkIcon} className={styles.sign} />
      <h1>{t('로그인 성공')}</h1>
      <Muted>{t('어드민 대시보드로 이동 중...')}</Muted>
    </section>
  )
}

const welcomeMs = 1_500

/** Goes on once the welcome could be read; answers with how to give that up. @internal */
export function afterWelcome(go: () => void): () => void {
  const timer = setTimeout(go, welcomeMs)
  return () => clearTimeout(timer)
}

/** @internal */
export const loginFields = {
  username: text({
    label: t('사용자명'),
    placeholder: 'admin',
    autoComplete: 'username',
    autoCapitalize: 'off',
    missing: t('사용자명을 입력하세요'),
  }),
  password: passwordField(),
  otpCode: codeField({
    check: (code) => (code && code.length > 6 ? t('인증 코드는 최대 6자리입니다') : undefined),
  }),
  recoveryCode: text({
    label: t('복구 코드'),
    hint: t('OTP를 설정할 때 받은 코드 하나를 입력하세요. 한 번만 쓸 수 있습니다.'),
    isMono: true,
    autoFocus: true,
  }),
}

type Props = { access: Access; onRetry: () => void; onIn: () => void }

/** @internal */
export function LoginForm({ access, onRetry, onIn }: Props) {
  const [step, setStep] = useState<'password' | 'code' | 'recovery'>('password')
  const [trouble, setTrouble] = useState<{ tone: 'plain' | 'bad'; text: string }>()
  const [second, setSecond] = useState<DataOf<Awaited<ReturnType<typeof api.login.passkey.post>>>>()

  const askSecond = async (account: { username: string; password: string }) => {
    setStep(step === 'recovery' ? 'recovery' : 'code')
    setTrouble({ tone: 'plain', text: t('2차 인증 코드를 입력하세요.') })
    if (!canUsePasskeys()) return
    const found = await answerOf(api.login.passkey.post(account)).catch(() => undefined)
    setSecond(found)
    if (!found?.passkey) return
    setTrouble({
      tone: 'plain',
      text: found.otp
        ? t('패스키로 로그인을 확인하거나 코드를 입력하세요.')
        : t('패스키로 로그인을 확인하세요.'),
    })
  }
  const form = useDraft({
    isSent: true,
    isWhole: true,
    fields: loginFields,
    async save({ username, password, otpCode, recoveryCode }, { way }) {
      setTrouble(undefined)
      const account = { username: username ?? '', password: password ?? '' }
      try {
        // A challenge counts once and for two minutes: each press asks for another.
        const proof = way
          ? { passkey: await signWithPasskey((await answerOf(api.login.passkey.post(account))).passkey) }
          : step === 'code' && otpCode
            ? { otpCode }
            : step === 'recovery'
              ? { recoveryCode: recoveryCode ?? '' }
              : {}
        const { token } = await answerOf(api.login.post({ ...account, ...proof }))
        if (!token) throw new Trouble(t('로그인에 실패했습니다.'))
        if (!writeToken(token)) throw new Trouble(t('이 브라우저는 로그인을 저장할 수 없습니다.'))
      } catch (error) {
        if (isRefusal(error, 'OTP_REQUIRED')) await askSecond(account)
        else setTrouble({ tone: 'bad', text: loginErrorText(error) })
        throw new Cancelled()
      }
      putOff(false)
      await readChoice()
    },
    done: onIn,
  })

  return (
    <section className="card stack gap-16" aria-labelledby="login-title" data-tight>
      <h1 id="login-title">{t('관리자 로그인')}</h1>
      <AccessLine access={access} onRetry={onRetry} />
      <FormPlace of={form}>
        {trouble && (
          <Note tone={trouble.tone} role="alert">
            {trouble.text}
          </Note>
        )}
        <Fields of={form} names={['username', 'password']} />
        {step !== 'password' && second?.passkey && (
          <PasskeyButton isBusy={form.isBusy} onClick={(event) => form.submit(event, 'passkey')} />
        )}
        {step === 'code' && second?.otp !== false && <Fields of={form} names={['otpCode']} />}
        {step === 'recovery' && <Fields of={form} names={['recoveryCode']} />}
        {step !== 'password' && (
          <Button tone="plain" onClick={() => setStep(step === 'code' ? 'recovery' : 'code')}>
            {step === 'code' ? t('복구 코드 사용') : t('인증 앱 코드 사용')}
          </Button>
        )}
        <Button type="submit" isBusy={form.isBusy} disabled={access.state !== 'allowed'}>
          {form.isBusy ? t('로그인 중...') : t('로그인')}
        </Button>
      </FormPlace>
    </section>
  )
}

async function readChoice(): Promise<void> {
  const { user } = await answerOf(api.me.get(within(3_000))).catch(() => ({ user: { language: null } }))
  if (user.language) writeLanguage(user.language)
}

/** The form's text after a refused login: ours for the codes of docs/spec.md, else the server's. @internal */
export function loginErrorText(error: unknown): string {
  if (error instanceof Trouble) return error.message
  if (!(error instanceof AdminError)) return t('로그인 중 오류가 발생했습니다.')
  if (error.code === 'INVALID_OTP_FORMAT') return errorTexts.INVALID_OTP
  // Whatever refuses without a word, as a proxy may, was reached.
  const isSilent = error.code === undefined && error.text === undefined
  return errorText(isSilent ? undefined : error, t('로그인에 실패했습니다.'))
}

export type Access =
  | { state: 'checking' }
  | { state: 'failed' }
  | { state: 'allowed' | 'blocked'; ip: string }

/** @internal */
export async function checkAccess(): Promise<Access> {
  try {
    const { allowed, ip } = await answerOf(api['check-access'].get(within(15_000)))
    return { state: allowed ? 'allowed' : 'blocked', ip }
  } catch {
    return { state: 'failed' }
  }
}

function AccessLine({ access, onRetry }: { access: Access; onRetry: () => void }) {
  if (access.state === 'failed')
    return <Retry text={t('접근 확인 중 오류가 발생했습니다.')} onRetry={onRetry} />
  return (
    <Row as="p" gap={8} className="muted size-14" role="status">
      <span className={access.state === 'allowed' ? 'dot ok' : 'dot wait'} />
      {access.state === 'checking' ? (
        t('접근 권한을 확인하고 있습니다.')
      ) : (
        <>
          {t('접근이 허용된 IP')} <span className="figure">{'ip' in access ? access.ip : ''}</span>
        </>
      )}
    </Row>
  )
}

/** @internal */
export const Blocked = ({ ip, onRetry }: { ip: string; onRetry: () => void }) => (
  <section className="card stack gap-16" aria-labelledby="blocked-title">
    <Icon svg={shieldIcon} className={`${styles.sign} bad`} />
    <h1 id="blocked-title">{t('접근 차단')}</h1>
    <p role="alert">{t('접근이 차단되었습니다. 현재 IP: {ip}', { ip })}</p>
    <Copied text={ip} label={t('현재 IP 복사')}>
      <span className="figure">{ip}</span>
    </Copied>
    <Muted>
      {t(
        '현재 IP는 관리자 접근이 허용되지 않았습니다. 관리자에게 이 주소를 화이트리스트에 추가해 달라고 요청하세요.',
      )}
    </Muted>
    <Button tone="edged" onClick={onRetry}>
      {t('다시 확인')}
    </Button>
  </section>
)
