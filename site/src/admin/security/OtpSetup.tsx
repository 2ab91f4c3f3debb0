import { useState } from 'react'
import type { Answer } from '../../shell/answers.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/Copy.tsx'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { groupsOfFour } from '../ui/numbers.ts'
import rowStyles from '../ui/Rows.module.css'
import { useAction } from '../ui/use-action.ts'
import styles from './OtpSetup.module.css'

export type Secret = Answer<'post', '/api/admin/setup-otp'>

type Props = { secret: Secret; onConfirmed: (codes: string[]) => Promise<void>; onCancel: () => void }

export function OtpSetup({ secret, onConfirmed, onCancel }: Props) {
  const [otpCode, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [confirm, isBusy] = useAction(t('OTP 설정에 실패했습니다'), async () => {
    try {
      const confirmed = await call(() => api.otp.confirm.post({ otpCode }), { isEnrolling: true })
      await onConfirmed(confirmed.recoveryCodes)
    } catch (caught) {
      setError(errorText(caught, t('코드를 확인하지 못했습니다.')))
      throw caught
    }
  })
  return (
    <div className={styles.setup}>
      <img src={secret.qrCode} alt={t('인증 앱으로 스캔할 QR 코드')} width="188" height="188" />
      <div className={rowStyles.stack}>
        <p>{t('인증 앱으로 QR 코드를 스캔하거나 아래 키를 직접 입력하세요.')}</p>
        <div className="address address-row">
          <span data-secret={secret.secret}>{groupsOfFour(secret.secret).join(' ')}</span>
          <CopyButton text={secret.secret} label={t('OTP 키 복사')} />
        </div>
        <form
          className={rowStyles.stack}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!/^\d{6}$/.test(otpCode)) return setError(t('6자리 인증 코드를 입력하세요.'))
            setError(undefined)
            void confirm()
          }}
        >
          <TextField
            label={t('인증 코드')}
            hint={t('앱에 나타난 6자리 코드를 입력하면 설정이 끝납니다.')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={otpCode}
            onChange={(value) => {
              setCode(value)
              setError(undefined)
            }}
            error={error}
            isMono
          />
          <div className={rowStyles.row}>
            <Button type="submit" size="small" isBusy={isBusy}>
              {t('코드 확인')}
            </Button>
            <Button tone="plain" size="small" onClick={onCancel}>
              {t('취소')}
            </Button>
          </div>
        </form>
      </div>
    </div>
  )
}
