import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { useEffect } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import styles from './login.module.css'

const waitMs = 1_500

export function Welcome() {
  useEffect(() => {
    const timer = setTimeout(() => location.assign('/admin'), waitMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <section className={`${styles.card} card`} role="status">
      <Icon svg={checkIcon} className={`${styles.sign} ok`} />
      <h1>로그인 성공</h1>
      <p className={styles.text}>어드민 대시보드로 이동 중...</p>
    </section>
  )
}
