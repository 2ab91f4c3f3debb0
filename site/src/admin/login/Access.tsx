import shieldIcon from 'lucide-static/icons/shield-ban.svg?raw'
import { Icon } from '../../shell/Icon.tsx'
import { Muted, Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { answerOf, api, within } from '../session/api.ts'
import { CopyButton } from '../ui/address.tsx'
import { Button } from '../ui/Button.tsx'
import { Retry } from '../ui/Note.tsx'
import styles from './login.module.css'

export type Access =
  | { state: 'checking' }
  | { state: 'failed' }
  | { state: 'allowed' | 'blocked'; ip: string }

/** Whether this visitor's address, as the server sees it, may log in. */
export async function checkAccess(): Promise<Access> {
  try {
    const { allowed, ip } = await answerOf(api['check-access'].get(within(15_000)))
    return { state: allowed ? 'allowed' : 'blocked', ip }
  } catch {
    return { state: 'failed' }
  }
}

/** The outcome above the form; a failed check can be repeated. */
export function AccessLine({ access, onRetry }: { access: Access; onRetry: () => void }) {
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

/** In place of the form: names the address that an administrator has to allow. */
export function Blocked({ ip, onRetry }: { ip: string; onRetry: () => void }) {
  return (
    <section className={`${styles.card} card`} aria-labelledby="blocked-title">
      <Icon svg={shieldIcon} className={`${styles.sign} bad`} />
      <h1 id="blocked-title">{t('접근 차단')}</h1>
      <p role="alert">{t('접근이 차단되었습니다. 현재 IP: {ip}', { ip })}</p>
      <div className="address address-row">
        <span className="figure">{ip}</span>
        <CopyButton text={ip} label={t('현재 IP 복사')} />
      </div>
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
}
