import { useStore } from '@nanostores/react'
import downloadIcon from 'lucide-static/icons/download.svg?raw'
import keyIcon from 'lucide-static/icons/key-round.svg?raw'
import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useEffect, useRef, useState } from 'react'
import { mostLetters } from '../../../../core/event/ranges.ts'
import type { Answer } from '../../shell/answers.ts'
import { Row, Stack } from '../../shell/Layout.tsx'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { canUsePasskeys, makePasskey } from '../passkey/second-factor.tsx'
import {
  $enrolment,
  api,
  call,
  isReadOnly,
  type PasskeyItem,
  readEnrolment,
  type SecurityState,
} from '../session/session.ts'
import { type Action, ActionButton, Button, useAct } from '../ui/action.tsx'
import { Copied, CopyButton } from '../ui/address.tsx'
import { Badge, Folded } from '../ui/card.tsx'
import { saveFile } from '../ui/download.tsx'
import { Entry } from '../ui/entry.tsx'
import { groupsOfFour, inWords } from '../ui/format.ts'
import { List } from '../ui/list.tsx'
import { useResource } from '../ui/resource.tsx'
import { Switch } from '../ui/select.tsx'

type Secret = Answer<'post', '/api/admin/setup-otp'>
type Props = { security: SecurityState; onChanged: () => Promise<void> }

export function OtpGroup({ security, onChanged }: Props) {
  const { otpConfirmed, requireOtp, recoveryCodesLeft, passkeys } = security
  const hasSecond = otpConfirmed || passkeys > 0
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<string[]>()
  const [toggle, isToggling] = useAct(requirement, onChanged)
  const [turnOn] = useAct({ ...requirement, ask: () => undefined })
  // One's own alone is what a read-only administrator may set up.
  const turnsOn = !requireOtp && !isReadOnly()
  /** Whatever fails from here on, the codes are shown. */
  const confirmed = async (recoveryCodes: string[]) => {
    setSecret(undefined)
    setCodes(recoveryCodes)
    showToast(t('OTP를 설정했습니다'), t('복구 코드를 안전한 곳에 적어 두세요.'), 'good')
    if (turnsOn) await turnOn(true)
    await readEnrolment()
    await onChanged()
  }
  return (
    <Folded
      title={t('2단계 인증 (OTP)')}
      state={
        <Badge tone={otpConfirmed ? 'ok' : 'held'}>
          {otpConfirmed ? t('OTP 설정됨') : t('OTP 설정 안 됨')}
        </Badge>
      }
      reason={t('비밀번호가 새어도 인증 앱 없이는 로그인할 수 없습니다. 켜 두기를 권합니다.')}
      isOpen={!otpConfirmed || !requireOtp}
    >
      {!secret && !codes && (
        <Row>
          <ActionButton action={otpConfirmed ? again : setUp} onDone={setSecret} />
          {otpConfirmed && (
            <span className="hint">{t('남은 복구 코드 {recoveryCodesLeft}개', { recoveryCodesLeft })}</span>
          )}
        </Row>
      )}
      {secret && (
        <OtpSetup {...{ secret, turnsOn }} onConfirmed={confirmed} onCancel={() => setSecret(undefined)} />
      )}
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
    </Folded>
  )
}

const setUp: Action<void, Secret> = {
  name: t('OTP 설정'),
  failure: t('OTP 설정에 실패했습니다'),
  run: () => call(() => api['setup-otp'].post()),
  tone: 'ink',
  icon: keyIcon,
}
const again: Action<void, Secret> = {
  ...setUp,
  name: t('OTP 다시 설정'),
  ask: () => ({
    action: t('다시 설정'),
    body: t('새 코드로 확인을 마치면 지금 쓰는 인증 앱 항목과 복구 코드는 더 이상 쓸 수 없습니다.'),
  }),
  tone: 'edged',
}
const requirement: Omit<Action<boolean>, 'name'> = {
  failure: t('2단계 인증 설정에 실패했습니다'),
  ask: (isOn) => ({
    title: isOn ? t('2단계 인증 켜기') : t('2단계 인증 끄기'),
    tone: isOn ? 'plain' : 'danger',
    action: isOn ? t('켜기') : t('끄기'),
    body: isOn
      ? t('모든 관리자가 로그인할 때 인증 코드를 입력해야 합니다. 다른 기기의 로그인은 끝납니다.')
      : t('비밀번호만으로 로그인할 수 있게 됩니다. 비밀번호가 새면 아무도 막지 못합니다.'),
  }),
  run: (isOn) => call(() => api.settings.patch({ requireOtp: isOn })),
  told: (isOn) => [
    isOn ? t('2단계 인증을 켰습니다') : t('2단계 인증을 껐습니다'),
    isOn ? t('다음 로그인부터 코드를 묻습니다.') : t('다음 로그인부터 코드를 묻지 않습니다.'),
  ],
}

type SetupProps = {
  secret: Secret
  turnsOn: boolean
  onConfirmed: (codes: string[]) => Promise<void>
  onCancel: () => void
}

const OtpSetup = ({ secret, turnsOn, onConfirmed, onCancel }: SetupProps) => (
  <Row gap={20} align="top">
    <img className="qr" src={secret.qrCode} alt={t('인증 앱으로 스캔할 QR 코드')} width="188" height="188" />
    <Stack className="grow">
      <p>{t('인증 앱으로 QR 코드를 스캔하거나 아래 키를 직접 입력하세요.')}</p>
      <Copied text={secret.secret} label={t('OTP 키 복사')}>
        <span data-secret={secret.secret}>{groupsOfFour(secret.secret).join(' ')}</span>
      </Copied>
      <Entry<string[]>
        label={t('인증 코드')}
        hint={
          turnsOn
            ? t('앱에 나타난 6자리 코드를 입력하면 설정이 끝나고, 모든 관리자의 로그인에 코드를 요구합니다.')
            : t('앱에 나타난 6자리 코드를 입력하면 설정이 끝납니다.')
        }
        missing={t('6자리 인증 코드를 입력하세요.')}
        check={(code) => (/^\d{6}$/.test(code) ? undefined : t('6자리 인증 코드를 입력하세요.'))}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        isMono
        action={{
          name: t('코드 확인'),
          failure: t('OTP 설정에 실패했습니다'),
          run: async (otpCode) =>
            (await call(() => api.otp.confirm.post({ otpCode }), { isEnrolling: true })).recoveryCodes,
        }}
        onDone={onConfirmed}
      >
        <Button tone="plain" onClick={onCancel}>
          {t('취소')}
        </Button>
      </Entry>
    </Stack>
  </Row>
)

/** @internal */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const text = codes.join('\n')
  return (
    <section className="card stack" aria-labelledby="recovery-title">
      <h3 id="recovery-title" ref={title} tabIndex={-1}>
        {t('복구 코드 목록')}
      </h3>
      <p>
        {t('휴대전화를 잃었을 때 인증 코드 대신 씁니다. 코드마다 한 번만 쓸 수 있고,')}{' '}
        <b>{t('지금 한 번만 보여줍니다.')}</b> {t('안전한 곳에 적어 두세요.')}
      </p>
      <ul className="figure grid gap-8" translate="no" aria-labelledby="recovery-title">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Row>
        <Button
          tone="edged"
          size="small"
          icon={downloadIcon}
          onClick={() =>
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'blockdraw-recovery-codes.txt')
          }
        >
          {t('파일로 저장')}
        </Button>
        <CopyButton text={text} label={t('복구 코드 복사')} />
        <Button size="small" onClick={onDone}>
          {t('적어 두었습니다')}
        </Button>
      </Row>
    </section>
  )
}

export function PasskeyGroup({ onChanged }: { onChanged: () => Promise<void> }) {
  const list = useResource(() => call(() => api.passkeys.get()))
  const isDue = useStore($enrolment) === 'due'
  const [codes, setCodes] = useState<string[]>()
  const reload = async () => {
    await readEnrolment()
    await list.reload()
    await onChanged()
  }
  return (
    <Folded
      title={t('패스키')}
      state={
        list.data && (
          <Badge tone={list.data.length > 0 ? 'ok' : 'held'}>
            {list.data.length > 0 ? t('{count}개', { count: list.data.length }) : t('없음')}
          </Badge>
        )
      }
      reason={t(
        '인증 앱의 코드 대신 기기의 지문, 얼굴 또는 PIN으로 확인합니다. 가짜 사이트에서는 쓸 수 없어 더 안전합니다.',
      )}
      isOpen={isDue}
    >
      <List<PasskeyItem>
        label={t('패스키')}
        from={{ ...list, reload }}
        idOf={({ id }) => id}
        actions={[removePasskey]}
        empty={t('등록한 패스키가 없습니다.')}
        columns={[
          { name: t('이름'), place: 'lead', cell: ({ name }) => <b className="break">{name}</b> },
          { name: t('등록'), cell: ({ site, createdAt: at }) => `${site}, ${inWords(at)}` },
          {
            name: t('마지막 사용'),
            cell: ({ lastUsedAt }) => (lastUsedAt ? inWords(lastUsedAt) : t('아직 쓰지 않음')),
          },
        ]}
      />
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {canUsePasskeys() ? (
        <Entry<{ passkey: PasskeyItem; recoveryCodes: string[] | null }>
          label={t('새 패스키 이름')}
          hint={t('기기마다 하나씩, 예비 기기까지 등록해 두세요.')}
          placeholder={t('회사 노트북')}
          missing={t('기기를 알아볼 이름을 입력하세요.')}
          maxLength={mostLetters.passkeyName}
          action={{
            name: t('패스키 등록'),
            failure: t('패스키를 등록하지 못했습니다'),
            icon: plusIcon,
            async run(name) {
              const options = await call(() => api.passkeys.options.post(), { isEnrolling: true })
              const made = await makePasskey(options)
              return call(() => api.passkeys.post({ name, ...made }), { isEnrolling: true })
            },
            told: (name) => [t('패스키를 등록했습니다'), name],
          }}
          onDone={async ({ recoveryCodes }) => {
            if (recoveryCodes) setCodes(recoveryCodes)
            await reload()
          }}
        />
      ) : (
        <p className="hint">{t('이 브라우저에서는 패스키를 쓸 수 없습니다.')}</p>
      )}
    </Folded>
  )
}

const removePasskey: Action<PasskeyItem> = {
  name: t('삭제'),
  failure: t('패스키를 삭제하지 못했습니다'),
  label: ({ name }) => t('{name} 삭제', { name }),
  ask: ({ name }) => ({
    title: t('패스키 삭제'),
    body: t('{name}: 이 기기로는 더 이상 로그인을 확인할 수 없습니다. 다른 기기의 로그인은 끝납니다.', {
      name,
    }),
  }),
  run: ({ id }) => call(() => api.passkeys({ id }).delete()),
  told: ({ name }) => [t('패스키를 삭제했습니다'), name],
  tone: 'danger-edged',
}
