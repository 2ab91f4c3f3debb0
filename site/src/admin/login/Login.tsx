import { useEffect, useState } from 'react'
import { Mark } from '../frame/Mark.tsx'
import { Note } from '../frame/Note.tsx'
import { ThemeButton } from '../frame/ThemeButton.tsx'
import { type Access, checkAccess } from './access.ts'
import { Blocked } from './Blocked.tsx'
import { LoginForm } from './LoginForm.tsx'
import styles from './login.module.css'
import { Welcome } from './Welcome.tsx'

/** Who may come in, then the form, then the way to the dashboard. */
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
      <header className={styles.bar}>
        <a className="mark-link" href="/" aria-label="Blockdraw 공개 페이지">
          <Mark />
        </a>
        <ThemeButton />
      </header>
      <main id="main" className={styles.main}>
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
