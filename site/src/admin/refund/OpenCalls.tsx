import { useStore } from '@nanostores/react'
import { $now } from '../../live/clock.ts'
import { Button } from '../frame/Button.tsx'
import { untilText } from '../frame/dates.ts'
import { Note } from '../frame/Note.tsx'
import { count } from '../frame/numbers.ts'
import { t } from '../language/t.ts'
import { $signer, startSigning } from './signing-store.ts'
import type { DeskRow } from './types.ts'

/** Calls of the register that may still come: until when nothing is paid by hand, and how to ask for them once more. */
export function OpenCalls({ rows, isRunning }: { rows: readonly DeskRow[]; isRunning: boolean }) {
  const now = useStore($now)
  const signer = useStore($signer)
  if (rows.length === 0) return null
  const end = Math.max(...rows.map(({ validUntil }) => Date.parse(validUntil ?? '') || 0))
  const isOwn = ({ offeredWallet }: DeskRow) => offeredWallet?.toLowerCase() === signer?.wallet.toLowerCase()
  const unanswered = rows.filter((row) => row.state === 'offered' && isOwn(row))
  const canAsk = signer?.facts?.register === 'ready' && !isRunning && unanswered.length > 0
  return (
    <Note
      action={
        canAsk ? (
          <Button
            need="refund.offer"
            tone="edged"
            size="small"
            disabled={signer.facts?.obstacles.length !== 0}
            onClick={() => startSigning(unanswered.map(({ id }) => id))}
          >
            {t('{count}건 다시 승인', { count: count(unanswered.length) })}
          </Button>
        ) : undefined
      }
    >
      {now < end ? (
        <>
          <b>{t('{end}까지 직접 지급하지 마세요.', { end: untilText(end, now) })}</b>{' '}
          {t('환불 컨트랙트로 넘긴 {count}건이 그때까지 체인에 오를 수 있습니다.', {
            count: count(rows.length),
          })}
        </>
      ) : (
        <>
          <b>{t('환불 컨트랙트로 넘긴 {count}건을 확인하고 있습니다.', { count: count(rows.length) })}</b>{' '}
          {t('유효 시각이 지났고, 그 뒤의 블록이 확정되면 결과가 가려집니다. 그때까지 직접 지급하지 마세요.')}
        </>
      )}
      {unanswered.length > 0 &&
        ` ${t('답을 받지 못한 것은 바로 다시 승인해도 됩니다. 이미 받은 사람에게는 다시 지급되지 않습니다.')}`}
    </Note>
  )
}
