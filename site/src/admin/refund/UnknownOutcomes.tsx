import { useStore } from '@nanostores/react'
import { $now } from '../../live/clock.ts'
import { showToast } from '../../shell/toast.ts'
import { Button } from '../frame/Button.tsx'
import { confirm } from '../frame/confirm.ts'
import { agoText } from '../frame/dates.ts'
import { Note } from '../frame/Note.tsx'
import { count } from '../frame/numbers.ts'
import { useAction } from '../frame/use-action.ts'
import { refreshDesk } from './desk-store.ts'
import { $signer, spendNonces } from './signing-store.ts'
import type { DeskRow } from './types.ts'

/** A page that waits for its wallet renews its claim every 20 seconds; after a minute none is waiting. */
const leaseMs = 60_000

/** Rows whose wallet request was never answered: why they wait, and how to free them. */
export function UnknownOutcomes({ rows, isRunning }: { rows: readonly DeskRow[]; isRunning: boolean }) {
  const now = useStore($now)
  const signer = useStore($signer)
  const since = Math.min(...rows.map(({ offeredAt }) => Date.parse(offeredAt ?? '') || now))
  const isAlone = now - Math.max(...rows.map(({ offeredAt }) => Date.parse(offeredAt ?? '') || now)) > leaseMs
  const bound = Math.max(...rows.map(({ nonceBound }) => nonceBound ?? -1))
  const [free, isBusy] = useAction('논스를 비우지 못했습니다', async () => {
    const yes = await confirm({
      title: '논스 비우기',
      action: '빈 거래 승인',
      body: (
        <>
          <p>
            지갑에서 금액이 0인 거래를 승인합니다. 잃어버린 요청이 쓸 수 있던 번호({count(bound)}까지)를 모두
            써 버려, 뒤늦게 보내질 수 없게 합니다.
          </p>
          <p>확정되면 이 항목은 완료되거나, 지급되지 않았을 때만 다시 보낼 수 있게 됩니다.</p>
        </>
      ),
    })
    if (!yes) return
    const sent = await spendNonces(bound)
    showToast('빈 거래를 보냈습니다', `${count(sent)}건이 확정되면 결과가 가려집니다.`, 'good')
    await refreshDesk()
  })
  if (rows.length === 0) return null
  return (
    <Note
      action={
        isAlone && bound >= 0 && signer && !isRunning ? (
          <Button tone="edged" size="small" isBusy={isBusy} onClick={() => void free()}>
            논스 비우기
          </Button>
        ) : undefined
      }
    >
      <b>{count(rows.length)}건의 결과를 확인하고 있습니다.</b>{' '}
      {isAlone
        ? `${agoText((now - since) / 1000)} 지갑에 넘긴 뒤 답이 없습니다. 두 번 보내지 않도록, 체인에서 지급이 확인되거나 지갑의 논스 ${count(bound)}까지 다른 거래로 확정되어야 풀립니다.`
        : '지갑의 답을 아직 모릅니다. 다른 창이나 다른 관리자의 요청일 수도 있습니다. 같은 항목을 두 번 넘기지 않습니다.'}
    </Note>
  )
}
