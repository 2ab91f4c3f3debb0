import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { t } from '../language/t.ts'
import { canUsePasskeys, signWithPasskey } from '../passkey/browser.ts'
import { PasskeyButton } from '../passkey/PasskeyButton.tsx'
import { answerOf, api, type DataOf } from '../session/api.ts'
import { $reauth } from '../session/reauth.ts'
import { $username, expiredText, isRefusal, isSessionOver, toLogin } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions, DialogText } from '../ui/Dialog.tsx'
import { errorText, Trouble } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'

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
  const [second, setSecond] = useState<DataOf<Awaited<ReturnType<typeof api.reauth.passkey.post>>>>()

  const submit = async (withPasskey = false) => {
    if (password === '') return setErrors({ password: t('비밀번호를 입력하세요') })
    if (needsCode && otpCode === '' && !withPasskey)
      return setErrors({ otp: t('2차 인증 코드를 입력하세요.') })
    setErrors({})
    setBusy(true)
    try {
      const signed = withPasskey && {
        passkey: await signWithPasskey((await answerOf(api.reauth.passkey.post())).passkey),
      }
      const body = { password, ...(signed || (otpCode && { otpCode })) }
      await answerOf(api.reauth.post(body))
      return done()
    } catch (error) {
      if (isRefusal(error, 'OTP_REQUIRED')) {
        setNeedsCode(true)
        if (canUsePasskeys()) setSecond(await answerOf(api.reauth.passkey.post()).catch(() => undefined))
      } else if (isRefusal(error, 'INVALID_PASSKEY') || error instanceof Trouble)
        setErrors({ otp: errorText(error, '') })
      else if (isRefusal(error, 'INVALID_OTP', 'INVALID_OTP_FORMAT'))
        setErrors({ otp: t('잘못된 인증 코드입니다. 다시 시도하세요.') })
      else if (isRefusal(error, 'UNAUTHENTICATED') && isSessionOver(error)) return toLogin(expiredText)
      else setErrors({ password: errorText(error, t('확인하지 못했습니다. 다시 시도해주세요.')) })
    }
    setBusy(false)
  }

  return (
    <Dialog title={t('본인 확인')} onClose={cancel}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void submit()
        }}
      >
        <DialogText>{t('변경하려면 비밀번호를 다시 입력하세요. 확인은 10분 동안 유지됩니다.')}</DialogText>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <TextField
          label={t('비밀번호')}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={errors.password}
          autoFocus
        />
        {needsCode && second?.passkey && <PasskeyButton isBusy={isBusy} onClick={() => void submit(true)} />}
        {needsCode && errors.otp && second?.otp === false && (
          <p className="field-error" role="alert">
            {errors.otp}
          </p>
        )}
        {needsCode && second?.otp !== false && (
          <TextField
            label={t('2차 인증 코드')}
            hint={t('인증 앱의 6자리 코드를 입력하세요.')}
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
        <DialogActions>
          <Button tone="plain" onClick={cancel}>
            {t('취소')}
          </Button>
          <Button type="submit" isBusy={isBusy}>
            {t('확인')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
