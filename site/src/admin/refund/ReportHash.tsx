import { useState } from 'react'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { errorText } from '../frame/error-text.ts'
import { TextField } from '../frame/Field.tsx'
import rowStyles from '../frame/Rows.module.css'
import { call } from '../frame/session.ts'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import type { DeskRow } from './types.ts'

/** Takes the hash from the wallet's history when its answer was lost. Only a hint: the chain decides. */
export function ReportHash({ row }: { row: DeskRow }) {
  const [hash, setHash] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const report = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await call(() => api.refunds({ id: row.id }).sent.post({ transactionHash: hash.trim() }))
      await refreshDesk()
    } catch (caught) {
      setError(errorText(caught, t('거래를 알리지 못했습니다.')))
    }
    setBusy(false)
  }
  return (
    <form
      className={rowStyles.add}
      onSubmit={(event) => {
        event.preventDefault()
        void report()
      }}
    >
      <TextField
        label={t('지갑 기록에 있는 거래 해시')}
        hint={t('없어도 체인에서 스스로 확인됩니다.')}
        value={hash}
        onChange={setHash}
        error={error}
        placeholder="0x…"
        autoComplete="off"
        spellCheck={false}
        isMono
      />
      <Button need="refund.sent" type="submit" tone="edged" isBusy={isBusy} disabled={hash.trim() === ''}>
        {t('거래 알리기')}
      </Button>
    </form>
  )
}
