import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { confirm } from '../frame/confirm.ts'
import { Note } from '../frame/Note.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import type { DeskRow } from './types.ts'

/** Dust, where the fee may exceed the refund: it is not sent unless an administrator includes it. */
export function DustNote({ rows }: { rows: readonly DeskRow[] }) {
  const dust = rows.filter(({ reason, state }) => reason === 'dust' && state !== 'settled')
  const sum = usdtColumn(dust.reduce((total, { amount }) => total + amount, 0))
  const [include, isBusy] = useAction(t('소액을 포함하지 못했습니다'), async () => {
    const yes = await confirm({
      title: t('소액 모두 포함'),
      action: t('모두 포함'),
      body: t(
        '소액 {count}건, {sum} USDT를 다음 서명에서 함께 보냅니다. 네트워크 수수료가 환불액보다 클 수 있습니다.',
        { count: count(dust.length), sum },
      ),
    })
    if (!yes) return
    try {
      for (const { id } of dust) await call(() => api.refunds({ id }).release.post())
      showToast(
        t('소액을 포함했습니다'),
        t('{count}건을 다음 서명에서 보냅니다.', { count: count(dust.length) }),
        'good',
      )
    } finally {
      await refreshDesk()
    }
  })
  if (dust.length === 0) return null
  return (
    <Note
      action={
        <Button
          need="refund.execute"
          tone="edged"
          size="small"
          isBusy={isBusy}
          onClick={() => void include()}
        >
          {t('소액 모두 포함')}
        </Button>
      }
    >
      {t('최소 환불액보다 적은 {count}건({sum} USDT)은 따로 두었습니다.', { count: count(dust.length), sum })}
    </Note>
  )
}
