import penIcon from 'lucide-static/icons/pen-line.svg?raw'
import { useState } from 'react'
import type { Hex } from 'viem'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { CopyButton } from '../frame/Copy.tsx'
import { loadEvent } from '../frame/config.ts'
import { TextArea } from '../frame/Field.tsx'
import { call } from '../frame/session.ts'
import type { AdminConfig } from '../frame/types.ts'
import { useAction } from '../frame/use-action.ts'
import { connectAs, signText } from '../frame/wallet.ts'
import styles from './ProveWallet.module.css'

/** Proof that somebody holds the key: a signature by a wallet in this browser, or one made elsewhere. */
export function ProveWallet({ event }: { event: AdminConfig }) {
  const [isByHand, setByHand] = useState(false)
  const [signature, setSignature] = useState('')
  const prove = async (made: string) => {
    await call(() => api.raffle['prove-wallet'].post({ signature: made.trim() as Hex }))
    showToast('지갑을 확인했습니다', '이 지갑의 키를 가진 사람이 서명했습니다.', 'good')
    await loadEvent()
  }
  const [sign, isSigning] = useAction('지갑 서명을 확인하지 못했습니다', async () => {
    const { provider, account } = await connectAs(event.operatorWallet ?? '')
    await prove(await signText(provider, account, event.walletProofMessage))
  })
  const [send, isSending] = useAction('지갑 서명을 확인하지 못했습니다', () => prove(signature))
  return (
    <div className={styles.prove}>
      <p className={styles.warn}>
        <span className="dot wait" />
        아직 서명으로 확인되지 않은 지갑입니다. 잘못 적은 주소가 아닌지 판매 전에 확인하세요.
      </p>
      <div className="button-row">
        <Button tone="edged" size="small" icon={penIcon} isBusy={isSigning} onClick={() => void sign()}>
          지갑으로 서명
        </Button>
        <Button tone="plain" size="small" aria-expanded={isByHand} onClick={() => setByHand(!isByHand)}>
          다른 곳에서 서명
        </Button>
      </div>
      {isByHand && (
        <div className="by-hand">
          <p className="hint">이 문장을 운영자 지갑으로 서명(personal_sign)한 뒤 결과를 붙여 넣으세요.</p>
          <div className="address address-row">
            <span>{event.walletProofMessage}</span>
            <CopyButton text={event.walletProofMessage} label="서명할 문장 복사" />
          </div>
          <TextArea
            label="서명"
            rows={3}
            value={signature}
            onChange={setSignature}
            placeholder="0x…"
            spellCheck={false}
          />
          <Button size="small" isBusy={isSending} disabled={!signature.trim()} onClick={() => void send()}>
            서명 확인
          </Button>
        </div>
      )}
    </div>
  )
}
