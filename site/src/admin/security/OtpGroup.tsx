import keyIcon from 'lucide-static/icons/key-round.svg?raw'
import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call, isReadOnly, readEnrolment } from '../session/session.ts'
import type { SecurityState } from '../session/types.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/confirm.ts'
import { Group } from '../ui/Group.tsx'
import rowStyles from '../ui/Rows.module.css'
import { Switch } from '../ui/Switch.tsx'
import { useAction } from '../ui/use-action.ts'
import { OtpSetup, type Secret } from './OtpSetup.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Props = { security: SecurityState; onChanged: () => Promise<void> }

/** Second factor: QR code of the secret, confirmation, recovery codes shown once, a switch to require it. */
export function OtpGroup({ security, onChanged }: Props) {
  const { otpConfirmed, requireOtp, recoveryCodesLeft, passkeys } = security
  const hasSecond = otpConfirmed || passkeys > 0
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<string[]>()

  const [setUp, isSettingUp] = useAction(t('OTP 설정에 실패했습니다'), async () => {
    if (otpConfirmed) {
      const yes = await confirm({
        title: t('OTP 다시 설정'),
        action: t('다시 설정'),
        body: t('새 코드로 확인을 마치면 지금 쓰는 인증 앱 항목과 복구 코드는 더 이상 쓸 수 없습니다.'),
      })
      if (!yes) return
    }
    setSecret(await call(() => api['setup-otp'].post()))
  })
  const [toggle, isToggling] = useAction(t('2단계 인증 설정에 실패했습니다'), async (isOn: boolean) => {
    const yes = await confirm({
      title: isOn ? t('2단계 인증 켜기') : t('2단계 인증 끄기'),
      tone: isOn ? 'plain' : 'danger',
      action: isOn ? t('켜기') : t('끄기'),
      body: isOn
        ? t('모든 관리자가 로그인할 때 인증 코드를 입력해야 합니다. 다른 기기의 로그인은 끝납니다.')
        : t('비밀번호만으로 로그인할 수 있게 됩니다. 비밀번호가 새면 아무도 막지 못합니다.'),
    })
    if (!yes) return
    await call(() => api.settings.patch({ requireOtp: isOn }))
    await onChanged()
    showToast(
      isOn ? t('2단계 인증을 켰습니다') : t('2단계 인증을 껐습니다'),
      isOn ? t('다음 로그인부터 코드를 묻습니다.') : t('다음 로그인부터 코드를 묻지 않습니다.'),
      'good',
    )
  })
  const confirmed = async (recoveryCodes: string[]) => {
    setSecret(undefined)
    setCodes(recoveryCodes)
    await readEnrolment()
    await onChanged()
  }

  return (
    <Group
      title={t('2단계 인증 (OTP)')}
      reason={t('비밀번호가 새어도 인증 앱 없이는 로그인할 수 없습니다. 켜 두기를 권합니다.')}
    >
      <div className={rowStyles.row}>
        <Badge tone={otpConfirmed ? 'ok' : 'held'}>
          {otpConfirmed ? t('OTP 설정됨') : t('OTP 설정 안 됨')}
        </Badge>
        {otpConfirmed && (
          <span className="hint">{t('남은 복구 코드 {recoveryCodesLeft}개', { recoveryCodesLeft })}</span>
        )}
        {!secret && !codes && (
          <Button
            tone={otpConfirmed ? 'edged' : 'ink'}
            size="small"
            icon={keyIcon}
            isBusy={isSettingUp}
            onClick={() => void setUp()}
          >
            {otpConfirmed ? t('OTP 다시 설정') : t('OTP 설정')}
          </Button>
        )}
      </div>
      {secret && <OtpSetup secret={secret} onConfirmed={confirmed} onCancel={() => setSecret(undefined)} />}
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      <div>
        <Switch
          label={t('로그인할 때 인증 코드 요구')}
          isOn={requireOtp}
          isDisabled={isReadOnly() || isToggling || (!hasSecond && !requireOtp)}
          onChange={(isOn) => void toggle(isOn)}
        />
        {!hasSecond && <p className="hint">{t('OTP를 먼저 설정하면 켤 수 있습니다.')}</p>}
      </div>
    </Group>
  )
}
