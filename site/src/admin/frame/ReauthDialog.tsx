import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { answerOf, api } from './api.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { errorText } from './error-text.ts'
import { TextField } from './Field.tsx'
import { $reauth } from './reauth.ts'
import { $username, expiredText, isRefusal, isSessionOver, toLogin } from './session.ts'

export function ReauthDialog() {
  const asking = useStore($reauth)
  return asking ? <Open {...asking} /> : null
}

/** Asks for the password again, and a code if the second factor is on; then the call continues. */
function Open({ done, cancel }: NonNullable<ReturnType<typeof $reauth.get>>) {
  const username = useStore($username) ?? ''
  const [password, setPassword] = useState('')
  const [otpCode, setOtpCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [errors, setErrors] = useState<{ password?: string; otp?: string }>({})
  const [isBusy, setBusy] = useState(false)

  const submit = async () => {
    if (password === '') return setErrors({ password: '비밀번호를 입력하세요' })
    if (needsCode && otpCode === '') return setErrors({ otp: '2차 인증 코드를 입력하세요.' })
    setErrors({})
    setBusy(true)
    try {
      const body = { password, ...(otpCode && { otpCode }) }
      await answerOf(api.reauth.post(body))
      return done()
    } catch (error) {
      if (isRefusal(error, 'OTP_REQUIRED')) setNeedsCode(true)
      else if (isRefusal(error, 'INVALID_OTP', 'INVALID_OTP_FORMAT'))
        setErrors({ otp: '잘못된 인증 코드입니다. 다시 시도하세요.' })
      else if (isRefusal(error, 'UNAUTHENTICATED') && isSessionOver(error)) return toLogin(expiredText)
      else setErrors({ password: errorText(error, '확인하지 못했습니다. 다시 시도해주세요.') })
    }
    setBusy(false)
  }

  return (
    <Dialog title="본인 확인" onClose={cancel}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void submit()
        }}
      >
        <p className="dialog-text">
          돈이나 보안과 관련된 변경입니다. 계속하려면 비밀번호를 다시 입력하세요. 확인은 10분 동안 유지됩니다.
        </p>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <TextField
          label="비밀번호"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={errors.password}
          autoFocus
        />
        {needsCode && (
          <TextField
            label="2차 인증 코드"
            hint="인증 앱의 6자리 코드를 입력하세요."
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={otpCode}
            onChange={setOtpCode}
            error={errors.otp}
            isMono
            autoFocus
          />
        )}
        <div className="actions">
          <Button tone="plain" onClick={cancel}>
            취소
          </Button>
          <Button type="submit" isBusy={isBusy}>
            확인
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
