import { useEffect, useState } from 'react'
import { Mark } from '../frame/Mark.tsx'
import { Note } from '../frame/Note.tsx'
import { ThemeButton } from '../frame/ThemeButton.tsx'
import { checkAccess } from './access.ts'
import { Blocked } from './Blocked.tsx'
import { LoginForm } from './LoginForm.tsx'
import { Welcome } from './Welcome.tsx'

export type Access =
  | { state: 'checking' }
  | { state: 'failed' }
  | { state: 'allowed' | 'blocked'; ip: string }

/** Checks the visitor's address, then shows the form, then the link to the dashboard. */
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
    <div className="login-page">
      <header className="login-bar">
        <a className="mark-link" href="/" aria-label="Blockdraw 공개 페이지">
          <Mark />
        </a>
        <ThemeButton />
      </header>
      <main id="main" className="login-main">
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
