import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { useEffect, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Muted, Row } from '../../shell/Layout.tsx'
import { LanguageButton, Mark, ThemeButton } from '../desk/Bar.tsx'
import { t } from '../language/t.ts'
import { Note } from '../ui/card.tsx'
import { type Access, Blocked, checkAccess, LoginForm } from './LoginForm.tsx'
import styles from './login.module.css'

export function Login({ notice }: { notice: string | undefined }) {
  const [access, setAccess] = useState<Access>({ state: 'checking' })
  const [isIn, setIn] = useState(false)
  const check = async () => {
    setAccess({ state: 'checking' })
    setAccess(await checkAccess())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    void check()
  }, [])
  return (
    <div className={styles.page}>
      <header className={`row spread ${styles.bar}`}>
        <a className="mark-link" href="/" aria-label={t('Blockdraw 공개 페이지')}>
          <Mark />
        </a>
        <Row as="span">
          <LanguageButton />
          <ThemeButton />
        </Row>
      </header>
      <main id="main" className={`stack ${styles.main}`}>
        {notice && !isIn && <Note role="status">{notice}</Note>}
        {isIn ? (
          <Welcome />
        ) : access.state === 'blocked' ? (
          <Blocked ip={access.ip} onRetry={check} />
        ) : (
          <LoginForm access={access} onRetry={check} onIn={() => setIn(true)} />
        )}
      </main>
    </div>
  )
}

function Welcome() {
  useEffect(() => afterWelcome(() => location.assign('/admin')), [])
  return (
    <section className={`${styles.card} card`} role="status">
      <Icon svg={checkIcon} className={styles.sign} />
      <h1>{t('로그인 성공')}</h1>
      <Muted>{t('어드민 대시보드로 이동 중...')}</Muted>
    </section>
  )
}

const welcomeMs = 1_500

/** Goes on once the welcome could be read; answers with how to give that up. @internal */
export function afterWelcome(go: () => void): () => void {
  const timer = setTimeout(go, welcomeMs)
  return () => clearTimeout(timer)
}
