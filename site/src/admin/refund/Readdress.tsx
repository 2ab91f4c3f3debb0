import { useEffect, useState } from 'react'
import type { Hex } from 'viem'
import type { Answer } from '../../shell/answers.ts'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import handStyles from '../frame/ByHand.module.css'
import { CopyButton } from '../frame/Copy.tsx'
import { Cancelled, errorText } from '../frame/error-text.ts'
import { TextArea, TextField } from '../frame/Field.tsx'
import { call, refusedField } from '../frame/session.ts'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import styles from './Readdress.module.css'
import type { DeskRow } from './types.ts'

type Wish = Answer<'get', '/api/admin/refunds/:id/readdress'>

/** Changes a row's recipient by the payer's signature: shows the text to sign and takes the signature. */
export function Readdress({ row, onDone }: { row: DeskRow; onDone: () => void }) {
  const [recipient, setRecipient] = useState('')
  const [signature, setSignature] = useState('')
  const [wish, setWish] = useState<Wish>()
  const [error, setError] = useState<{ field: 'recipient' | 'signature'; text: string }>()
  const [isBusy, setBusy] = useState(false)
  const wanted = recipient.trim()

  useEffect(() => {
    setWish(undefined)
    setError(undefined)
    if (!/^0x[0-9a-f]{40}$/i.test(wanted)) return
    let isOpen = true
    call(() => api.refunds({ id: row.id }).readdress.get({ query: { recipient: wanted } })).then(
      (found) => isOpen && setWish(found),
      (caught) =>
        isOpen && setError({ field: 'recipient', text: errorText(caught, t('쓸 수 없는 주소입니다.')) }),
    )
    return () => {
      isOpen = false
    }
  }, [wanted, row.id])

  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const body = { recipient: wanted, signature: signature.trim() as Hex }
      await call(() => api.refunds({ id: row.id }).readdress.post(body))
      showToast(t('받는 주소를 바꿨습니다'), t('결제한 지갑의 서명을 확인했습니다.'), 'good')
      await refreshDesk()
      onDone()
    } catch (caught) {
      if (!(caught instanceof Cancelled))
        setError({
          field: refusedField(caught, 'recipient', 'signature') ?? 'signature',
          text: errorText(caught, t('서명을 확인하지 못했습니다.')),
        })
    }
    setBusy(false)
  }

  return (
    <form
      className={handStyles.steps}
      aria-label={t('다른 주소로 환불')}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className="hint">
        {t('결제한 지갑의 주인이 아래 문장에 서명해야 합니다. 말이나 이메일로는 바꿀 수 없습니다.')}
      </p>
      <TextField
        label={t('새로 받을 주소')}
        value={recipient}
        onChange={setRecipient}
        error={error?.field === 'recipient' ? error.text : undefined}
        placeholder="0x…"
        autoComplete="off"
        spellCheck={false}
        isMono
      />
      {wish && (
        <>
          <div>
            <p className="field-label">{t('구매자가 서명할 문장')}</p>
            <div className="address address-row">
              <pre className={styles.wish}>{wish.message}</pre>
              <CopyButton text={wish.message} label={t('문장 복사')} />
            </div>
            <p className="hint">
              {t('서명 도구가 EIP-712를 원하면')}{' '}
              <CopyButton text={JSON.stringify(wish.typedData, null, 2)} label={t('형식 데이터 복사')} />
            </p>
          </div>
          <TextArea
            label={t('받은 서명')}
            rows={3}
            value={signature}
            onChange={setSignature}
            error={error?.field === 'signature' ? error.text : undefined}
            hint={t('EIP-191, EIP-712, 컨트랙트 지갑(ERC-1271)의 서명을 받습니다.')}
            placeholder="0x…"
            spellCheck={false}
          />
          <Button
            need="refund.readdress"
            type="submit"
            size="small"
            isBusy={isBusy}
            disabled={signature.trim() === ''}
          >
            {t('서명 확인 후 변경')}
          </Button>
        </>
      )}
    </form>
  )
}
