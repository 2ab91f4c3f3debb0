import { useState } from 'react'
import { writeLanguage } from '../language/language.ts'
import { t } from '../language/t.ts'
import { canUsePasskeys, signWithPasskey } from '../passkey/browser.ts'
import { PasskeyButton } from '../passkey/PasskeyButton.tsx'
import { AdminError, answerOf, api, type DataOf, within } from '../session/api.ts'
import { isRefusal } from '../session/session.ts'
import { putOff, writeToken } from '../session/token.ts'
import { Button } from '../ui/Button.tsx'
import { errorText, errorTexts, Trouble } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { focusWrong } from '../ui/focus-wrong.ts'
import { Note } from '../ui/Note.tsx'
import { type Access, AccessLine } from './Access.tsx'
import styles from './login.module.css'

type LoginValues = { username: string; password: string; otpCode: string; recoveryCode: string }
type LoginErrors = Partial<Record<keyof LoginValues, string>>

type Second = DataOf<Awaited<ReturnType<typeof api.login.passkey.post>>>

const empty: LoginValues = { username: '', password: '', otpCode: '', recoveryCode: '' }

type Props = { access: Access; onRetry: () => void; onIn: () => void }

export function LoginForm({ access, onRetry, onIn }: Props) {
  const [values, setValues] = useState(empty)
  const [touched, setTouched] = useState<ReadonlySet<keyof LoginValues>>(new Set())
  const [step, setStep] = useState<'password' | 'code' | 'recovery'>('password')
  const [trouble, setTrouble] = useState<{ tone: 'plain' | 'bad'; text: string }>()
  const [isBusy, setBusy] = useState(false)
  const [second, setSecond] = useState<Second>()
  const isAllowed = access.state === 'allowed'
  const wrong = wrongLogin(values)
  const shown: LoginErrors = Object.fromEntries(
    Object.entries(wrong).filter(([name]) => touched.has(name as keyof LoginValues)),
  )

  const edit = (name: keyof LoginValues) => (value: string) => {
    setValues({ ...values, [name]: value })
    setTouched(new Set([...touched, name]))
  }
  /** Which second factors there are; a browser without passkeys asks for a code. */
  const askSecond = async () => {
    setStep(step === 'recovery' ? 'recovery' : 'code')
    setTrouble({ tone: 'plain', text: t('2차 인증 코드를 입력하세요.') })
    if (!canUsePasskeys()) return
    const { username, password } = values
    const found = await answerOf(api.login.passkey.post({ username, password })).catch(() => undefined)
    setSecond(found)
    if (!found?.passkey) return
    setTrouble({
      tone: 'plain',
      text: found.otp
        ? t('패스키로 로그인을 확인하거나 코드를 입력하세요.')
        : t('패스키로 로그인을 확인하세요.'),
    })
  }
  /** A challenge counts once and for two minutes: each press asks for another. */
  const freshOptions = async () => {
    const { username, password } = values
    return (await answerOf(api.login.passkey.post({ username, password }))).passkey
  }
  const submit = async (withPasskey = false) => {
    if (!isAllowed || isBusy) return
    setTouched(new Set(['username', 'password', 'otpCode']))
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    setTrouble(undefined)
    try {
      const { username, password, otpCode, recoveryCode } = values
      const proof = withPasskey
        ? { passkey: await signWithPasskey(await freshOptions()) }
        : step === 'code' && otpCode
          ? { otpCode }
          : step === 'recovery'
            ? { recoveryCode }
            : {}
      const body = { username, password, ...proof }
      const { token } = await answerOf(api.login.post(body))
      if (!token || !writeToken(token)) {
        const text = token ? t('이 브라우저는 로그인을 저장할 수 없습니다.') : t('로그인에 실패했습니다.')
        setTrouble({ tone: 'bad', text })
        return
      }
      putOff(false)
      await readChoice()
      onIn()
    } catch (error) {
      if (isRefusal(error, 'OTP_REQUIRED')) {
        await askSecond()
      } else setTrouble({ tone: 'bad', text: loginErrorText(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={`${styles.card} card`} aria-labelledby="login-title" data-tight>
      <h1 id="login-title">{t('관리자 로그인')}</h1>
      <AccessLine access={access} onRetry={onRetry} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (Object.keys(wrong).length > 0) focusWrong(event.currentTarget)
          void submit()
        }}
      >
        {trouble && (
          <Note tone={trouble.tone} role="alert">
            {trouble.text}
          </Note>
        )}
        <TextField
          label={t('사용자명')}
          name="username"
          placeholder="admin"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          value={values.username}
          onChange={edit('username')}
          error={shown.username}
        />
        <TextField
          label={t('비밀번호')}
          name="password"
          type="password"
          autoComplete="current-password"
          value={values.password}
          onChange={edit('password')}
          error={shown.password}
        />
        {step !== 'password' && second?.passkey && (
          <PasskeyButton isBusy={isBusy} className={styles.submit} onClick={() => void submit(true)} />
        )}
        {step === 'code' && second?.otp !== false && (
          <TextField
            key="code"
            label={t('2차 인증 코드')}
            name="otpCode"
            hint={t('인증 앱의 6자리 코드를 입력하세요.')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            isMono
            value={values.otpCode}
            onChange={edit('otpCode')}
            error={shown.otpCode}
            autoFocus
          />
        )}
        {step === 'recovery' && (
          <TextField
            key="recovery"
            label={t('복구 코드')}
            name="recoveryCode"
            hint={t('OTP를 설정할 때 받은 코드 하나를 입력하세요. 한 번만 쓸 수 있습니다.')}
            autoComplete="off"
            spellCheck={false}
            isMono
            value={values.recoveryCode}
            onChange={edit('recoveryCode')}
            autoFocus
          />
        )}
        {step !== 'password' && (
          <button
            type="button"
            className={styles.link}
            onClick={() => setStep(step === 'code' ? 'recovery' : 'code')}
          >
            {step === 'code' ? t('복구 코드 사용') : t('인증 앱 코드 사용')}
          </button>
        )}
        <Button type="submit" isBusy={isBusy} disabled={!isAllowed} className={styles.submit}>
          {isBusy ? t('로그인 중...') : t('로그인')}
        </Button>
      </form>
    </section>
  )
}

/** The dashboard then opens in the administrator's own language at once. */
async function readChoice(): Promise<void> {
  const { user } = await answerOf(api.me.get(within(3_000))).catch(() => ({ user: { language: null } }))
  if (user.language) writeLanguage(user.language)
}

/** The rules of docs/spec.md; the server decides whether a code is right. @internal */
export function wrongLogin(values: LoginValues): LoginErrors {
  return {
    ...(values.username.length < 1 && { username: t('사용자명을 입력하세요') }),
    ...(values.password.length < 1 && { password: t('비밀번호를 입력하세요') }),
    ...(values.otpCode.length > 6 && { otpCode: t('인증 코드는 최대 6자리입니다') }),
  }
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
