import { useStore } from '@nanostores/react'
import { $now } from '../../live/clock.ts'
import { showToast } from '../../shell/toast.ts'
import { Button } from '../frame/Button.tsx'
import { confirm } from '../frame/confirm.ts'
import { agoText, inWords } from '../frame/dates.ts'
import { Note } from '../frame/Note.tsx'
import { count } from '../frame/numbers.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import { callLost } from './lost.ts'
import { $signer, spendNonces } from './signing-store.ts'
import type { DeskRow } from './types.ts'
import { boundOf, type Waiting, waitingOf } from './waiting.ts'

/** Rows whose wallet request was never answered: what they wait for, until when, and how to free them. */
export function UnknownOutcomes({ rows, isRunning }: { rows: readonly DeskRow[]; isRunning: boolean }) {
  const now = useStore($now)
  const signer = useStore($signer)
  const waiting = waitingOf(rows, now)
  const { isAttended, toCallLost } = waiting
  // Nonces of another wallet would free nothing.
  const bound = signer && boundOf(rows, signer.wallet)
  const [free, isFreeing] = useAction(t('논스를 비우지 못했습니다'), () => askToSpend(bound))
  const [lose, isLosing] = useAction(t('거래를 없음으로 표시하지 못했습니다'), () => callLost(toCallLost))
  if (rows.length === 0) return null
  const canSpend = !isAttended && bound !== undefined && !isRunning
  return (
    <Note
      action={
        <>
          {canSpend && (
            <Button
              need="refund.rejected"
              tone="edged"
              size="small"
              isBusy={isFreeing}
              onClick={() => void free()}
            >
              {t('논스 비우기')}
            </Button>
          )}
          {toCallLost.length > 0 && (
            <Button
              need="refund.lost"
              tone="danger-edged"
              size="small"
              isBusy={isLosing}
              onClick={() => void lose()}
            >
              {t('거래 없음으로 표시')}
            </Button>
          )}
        </>
      }
    >
      <b>{t('{count}건의 결과를 확인하고 있습니다.', { count: count(rows.length) })}</b>{' '}
      {textOf(waiting, now)}
    </Note>
  )
}

function textOf(
  { isAttended, since, bound, lostFrom, toCallLost, calledLost }: Waiting,
  now: number,
): string {
  if (isAttended)
    return t(
      '지갑의 답을 아직 모릅니다. 다른 창이나 다른 관리자의 요청일 수도 있습니다. 같은 항목을 두 번 넘기지 않습니다.',
    )
  const ago = agoText((now - since) / 1000)
  if (bound === undefined)
    return t(
      '{ago} 지갑에 넘긴 뒤 답이 없습니다. 두 번 보내지 않도록, 체인에서 지급이 확인되거나 넘길 때 정한 기한이 지나야 풀립니다.',
      { ago },
    )
  const nonces = t(
    '{ago} 지갑에 넘긴 뒤 답이 없습니다. 두 번 보내지 않도록, 체인에서 지급이 확인되거나 지갑의 논스 {bound}까지 다른 거래로 확정되어야 풀립니다.',
    { ago, bound: count(bound) },
  )
  const words = [
    lostFrom !== undefined &&
      t('지갑이 번호를 스스로 정할 수 있어, {lostFrom} (한국)부터 관리자가 거래 없음으로 표시해야 합니다.', {
        lostFrom: inWords(new Date(lostFrom)),
      }),
    toCallLost.length > 0 &&
      t('{count}건은 지금 거래 없음으로 표시할 수 있습니다.', { count: count(toCallLost.length) }),
    calledLost > 0 &&
      t('{calledLost}건은 거래 없음으로 표시되어 체인의 확인만 기다립니다.', {
        calledLost: count(calledLost),
      }),
  ]
  return [nonces, ...words.filter(Boolean)].join(' ')
}

/** Uses up the nonces that the lost requests could carry. */
async function askToSpend(bound: number | undefined): Promise<void> {
  if (bound === undefined) return
  const yes = await confirm({
    title: t('논스 비우기'),
    action: t('빈 거래 승인'),
    body: (
      <>
        <p>
          {t(
            '지갑에서 금액이 0인 거래를 승인합니다. 잃어버린 요청이 쓸 수 있던 번호({bound}까지)를 모두 써 버려, 뒤늦게 보내질 수 없게 합니다.',
            { bound: count(bound) },
          )}
        </p>
        <p>
          {t(
            '확정되면 이 항목은 완료되거나, 지급되지 않았을 때만 다시 보낼 수 있게 됩니다. 번호를 스스로 정하는 지갑이면 하루가 지난 뒤 거래 없음으로도 표시해야 합니다.',
          )}
        </p>
      </>
    ),
  })
  if (!yes) return
  const sent = await spendNonces(bound)
  showToast(
    t('빈 거래를 보냈습니다'),
    t('{sent}건이 확정되면 결과가 가려집니다.', { sent: count(sent) }),
    'good',
  )
  await refreshDesk()
}
