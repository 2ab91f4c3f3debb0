import shieldIcon from 'lucide-static/icons/shield-ban.svg?raw'
import { Icon } from '../../shell/Icon.tsx'
import { Button } from '../frame/Button.tsx'
import { CopyButton } from '../frame/Copy.tsx'
import styles from './login.module.css'

export function Blocked({ ip, onRetry }: { ip: string; onRetry: () => void }) {
  return (
    <section className={`${styles.card} card`} aria-labelledby="blocked-title">
      <Icon svg={shieldIcon} className={`${styles.sign} bad`} />
      <h1 id="blocked-title">접근 차단</h1>
      <p role="alert">접근이 차단되었습니다. 현재 IP: {ip}</p>
      <div className="address address-row">
        <span className="figure">{ip}</span>
        <CopyButton text={ip} label="현재 IP 복사" />
      </div>
      <p className={styles.text}>
        현재 IP는 관리자 접근이 허용되지 않았습니다. 관리자에게 이 주소를 화이트리스트에 추가해 달라고
        요청하세요.
      </p>
      <Button tone="edged" onClick={onRetry}>
        다시 확인
      </Button>
    </section>
  )
}
