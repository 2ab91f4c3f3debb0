import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Loaded } from '../ui/AsyncView.tsx'
import { Badge } from '../ui/Badge.tsx'
import { inWords } from '../ui/dates.ts'
import { Group } from '../ui/Group.tsx'
import linkStyles from '../ui/Link.module.css'
import { openTab } from '../ui/tab.ts'
import { useResource } from '../ui/use-resource.ts'

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
            <div>
              <dt>{t('사용자명')}</dt>
              <dd>{username}</dd>
            </div>
            <div>
              <dt>{t('로그인 (한국 시각)')}</dt>
              <dd className="text">{current ? inWords(current.createdAt) : t('알 수 없음')}</dd>
            </div>
            <div>
              <dt>{t('로그인한 IP')}</dt>
              <dd>{current?.clientAddress ?? security.ip}</dd>
            </div>
            <div>
              <dt>{t('다른 기기의 로그인')}</dt>
              <dd className="text">{others > 0 ? t('{others}개', { others }) : t('없음')}</dd>
            </div>
            <div>
              <dt>{t('2단계 인증')}</dt>
              <dd className="text">
                <Badge tone={security.otpConfirmed ? 'ok' : 'held'}>
                  {security.otpConfirmed ? t('OTP 설정됨') : t('OTP 설정 안 됨')}
                </Badge>
              </dd>
            </div>
          </dl>
        )}
      </Loaded>
      <div>
        <button type="button" className={linkStyles.link} onClick={() => openTab('security')}>
          {t('2단계 인증과 로그인 세션 관리')}
        </button>
      </div>
    </Group>
  )
}
