import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Fact, Group } from '../ui/card.tsx'
import { inWords } from '../ui/dates.ts'
import { Loaded, useResource } from '../ui/resource.tsx'
import { openTab } from '../ui/tab.ts'

/** Who is logged in here, since when, from where, and how the account is protected. */
export function AccountFacts({ username }: { username: string }) {
  const facts = useResource(async () => {
    const [security, sessions] = await Promise.all([
      call(() => api.settings.get()),
      call(() => api.sessions.get()),
    ])
    const own = sessions.filter((session) => session.username === username)
    return { security, others: own.length - 1, current: sessions.find(({ isCurrent }) => isCurrent) }
  })
  return (
    <Group title={t('현재 계정')} reason={t('지금 이 기기에서 로그인한 관리자입니다.')}>
      <Loaded from={facts} rows={3}>
        {({ security, others, current }) => (
          <dl className="summary">
            <Fact name={t('사용자명')}>{username}</Fact>
            <Fact name={t('로그인 (한국 시각)')} isText>
              {current ? inWords(current.createdAt) : t('알 수 없음')}
            </Fact>
            <Fact name={t('로그인한 IP')}>{current?.clientAddress ?? security.ip}</Fact>
            <Fact name={t('다른 기기의 로그인')} isText>
              {others > 0 ? t('{others}개', { others }) : t('없음')}
            </Fact>
            <Fact name={t('2단계 인증')} isText>
              <Badge tone={security.otpConfirmed ? 'ok' : 'held'}>
                {security.otpConfirmed ? t('OTP 설정됨') : t('OTP 설정 안 됨')}
              </Badge>
            </Fact>
          </dl>
        )}
      </Loaded>
      <div>
        <Button tone="edged" size="small" onClick={() => openTab('security')}>
          {t('2단계 인증과 로그인 세션 관리')}
        </Button>
      </div>
    </Group>
  )
}
