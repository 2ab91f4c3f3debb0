import { useStore } from '@nanostores/react'
import userIcon from 'lucide-static/icons/circle-user-round.svg?raw'
import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import logoutIcon from 'lucide-static/icons/log-out.svg?raw'
import type { ReactNode } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { $readOnly, $username, logout, saveLanguage } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Badge } from '../ui/Note.tsx'
import { LanguageButton, Mark, ThemeButton } from './Bar.tsx'
import styles from './desk.module.css'
import { ReauthDialog } from './ReauthDialog.tsx'

/** Sidebar, top bar and content, and the question that any call may have to ask. */
export function Frame({ side, foot, children }: { side: ReactNode; foot: ReactNode; children: ReactNode }) {
  const username = useStore($username)
  const readOnly = useStore($readOnly)
  return (
    <div className={styles.frame}>
      <aside className={styles.sidebar}>
        <a className="mark-link" href="/" aria-label={t('Blockdraw 공개 페이지')}>
          <Mark />
        </a>
        {side}
        {foot}
      </aside>
      <header className={styles.bar}>
        <a className={`mark-link ${styles.narrowMark}`} href="/" aria-label={t('Blockdraw 공개 페이지')}>
          <Mark />
        </a>
        <a className={`${styles.link} ${styles.wide}`} href="/" target="_blank" rel="noreferrer">
          <Icon svg={externalIcon} />
          {t('공개 페이지')}
        </a>
        <LanguageButton save={saveLanguage} />
        <ThemeButton />
        {username && (
          <span className={styles.user}>
            <Icon svg={userIcon} className={styles.wide} />
            <b>{username}</b>
            {readOnly && (
              <span className={styles.wide}>
                <Badge tone="plain">{t('읽기 전용')}</Badge>
              </span>
            )}
          </span>
        )}
        <Button tone="edged" size="small" icon={logoutIcon} onClick={() => void logout()}>
          {t('로그아웃')}
        </Button>
      </header>
      <main id="main" className={styles.main}>
        {children}
      </main>
      <ReauthDialog />
    </div>
  )
}
