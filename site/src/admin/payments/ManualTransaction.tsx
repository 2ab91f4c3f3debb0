import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { focusWrong } from '../ui/focus-wrong.ts'
import { Group } from '../ui/Group.tsx'
import { Note } from '../ui/Note.tsx'
import { count } from '../ui/numbers.ts'
import rowStyles from '../ui/Rows.module.css'
import { useAction } from '../ui/use-action.ts'

type Result = { hash: string; tickets: number }

/** A payment that a buyer reported by mail. The amount and the payer come only from the chain. */
export function ManualTransaction() {
  const [hash, setHash] = useState('')
  const [error, setError] = useState<string>()
  const [result, setResult] = useState<Result>()
  const trimmed = hash.trim()

  const [run, isBusy] = useAction(t('거래 처리에 실패했습니다'), async () => {
    setResult(undefined)
    try {
      const { ticketsCreated } = await call(() =>
        api.blockchain['process-transaction'].post({ transactionHash: trimmed }),
      )
      setResult({ hash: trimmed, tickets: ticketsCreated })
      setHash('')
      showToast(
        t('거래를 처리했습니다'),
        t('티켓 {ticketsCreated}장이 발급되었습니다.', { ticketsCreated: count(ticketsCreated) }),
        'good',
      )
    } catch (caught) {
      setError(errorText(caught, t('거래를 처리하지 못했습니다.')))
      throw caught
    }
  })
  return (
    <Group
      title={t('수동 거래 처리')}
      reason={t(
        '구매자가 이메일로 보낸 거래 해시를 확인합니다. 금액과 티켓 수는 체인에서 읽으며, 이미 처리된 거래는 다시 처리되지 않습니다.',
      )}
    >
      <form
        className={rowStyles.stack}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (trimmed === '') {
            setError(t('거래 해시를 입력해주세요'))
            return focusWrong(event.currentTarget)
          }
          setError(undefined)
          void run()
        }}
      >
        <TextField
          label={t('거래 해시')}
          value={hash}
          onChange={(value) => {
            setHash(value)
            setError(undefined)
          }}
          error={error}
          hint={
            isBusy
              ? t('체인에서 확정을 기다리고 있습니다. 최대 10초가 걸립니다.')
              : t('0x로 시작하는 64자리 16진수입니다. 앞뒤 공백은 무시됩니다.')
          }
          placeholder="0x…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          isMono
        />
        <div>
          <Button writes type="submit" isBusy={isBusy}>
            {t('거래 처리')}
          </Button>
        </div>
      </form>
      {result && (
        <Note role="status">
          <b>{t('티켓 {tickets}장이 발급되었습니다.', { tickets: count(result.tickets) })}</b>{' '}
          <span className="figure break">{result.hash}</span>
        </Note>
      )}
    </Group>
  )
}
