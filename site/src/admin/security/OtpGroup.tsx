import keyIcon from 'lucide-static/icons/key-round.svg?raw'
import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { Button } from '../frame/Button.tsx'
import { confirm } from '../frame/confirm.ts'
import { Group } from '../frame/Group.tsx'
import { Switch } from '../frame/Switch.tsx'
import { $lacksOtp, $mustEnrol, call } from '../frame/session.ts'
import type { SecurityState } from '../frame/types.ts'
import { useAction } from '../frame/use-action.ts'
import { OtpSetup, type Secret } from './OtpSetup.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Props = { security: SecurityState; onChanged: () => Promise<void> }

/** Second factor: QR code of the secret, confirmation, recovery codes shown once, a switch to require it. */
export function OtpGroup({ security, onChanged }: Props) {
  const { otpConfirmed, requireOtp, recoveryCodesLeft } = security
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<string[]>()

  const [setUp, isSettingUp] = useAction('OTP 설정에 실패했습니다', async () => {
    if (otpConfirmed) {
      const yes = await confirm({
        title: 'OTP 다시 설정',
        action: '다시 설정',
        body: '새 코드로 확인을 마치면 지금 쓰는 인증 앱 항목과 복구 코드는 더 이상 쓸 수 없습니다.',
      })
      if (!yes) return
    }
    setSecret(await call(() => api['setup-otp'].post()))
  })
  const [toggle, isToggling] = useAction('2단계 인증 설정에 실패했습니다', async (isOn: boolean) => {
    const yes = await confirm({
      title: isOn ? '2단계 인증 켜기' : '2단계 인증 끄기',
      tone: isOn ? 'plain' : 'danger',
      action: isOn ? '켜기' : '끄기',
      body: isOn
        ? '모든 관리자가 로그인할 때 인증 코드를 입력해야 합니다. 다른 기기의 로그인은 끝납니다.'
        : '비밀번호만으로 로그인할 수 있게 됩니다. 비밀번호가 새면 아무도 막지 못합니다.',
    })
    if (!yes) return
    await call(() => api.settings.patch({ requireOtp: isOn }))
    await onChanged()
    showToast(
      isOn ? '2단계 인증을 켰습니다' : '2단계 인증을 껐습니다',
      isOn ? '다음 로그인부터 코드를 묻습니다.' : '다음 로그인부터 코드를 묻지 않습니다.',
      'good',
    )
  })
  const confirmed = async (recoveryCodes: string[]) => {
    setSecret(undefined)
    setCodes(recoveryCodes)
    $mustEnrol.set(false)
    $lacksOtp.set(false)
    await onChanged()
  }

  return (
    <Group
      title="2단계 인증 (OTP)"
      reason="비밀번호가 새어도 인증 앱 없이는 로그인할 수 없습니다. 켜 두기를 권합니다."
    >
      <div className="proof-line">
        <Badge tone={otpConfirmed ? 'ok' : 'held'}>{otpConfirmed ? 'OTP 설정됨' : 'OTP 설정 안 됨'}</Badge>
        {otpConfirmed && <span className="hint">남은 복구 코드 {recoveryCodesLeft}개</span>}
        {!secret && !codes && (
          <Button
            tone={otpConfirmed ? 'edged' : 'ink'}
            size="small"
            icon={keyIcon}
            isBusy={isSettingUp}
            onClick={() => void setUp()}
          >
            {otpConfirmed ? 'OTP 다시 설정' : 'OTP 설정'}
          </Button>
        )}
      </div>
      {secret && <OtpSetup secret={secret} onConfirmed={confirmed} onCancel={() => setSecret(undefined)} />}
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      <div>
        <Switch
          label="로그인할 때 인증 코드 요구"
          isOn={requireOtp}
          isDisabled={isToggling || (!otpConfirmed && !requireOtp)}
          onChange={(isOn) => void toggle(isOn)}
        />
        {!otpConfirmed && <p className="hint">OTP를 먼저 설정하면 켤 수 있습니다.</p>}
      </div>
    </Group>
  )
}
