import { api } from '../frame/api.ts'
import { confirm } from '../frame/confirm.ts'
import { count } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'

/** An administrator's word on requests: asked for once, then told row by row. */
export async function callLost(ids: readonly number[]): Promise<void> {
  const yes = await confirm({
    title: t('거래 없음으로 표시'),
    tone: 'danger',
    action: t('없음으로 표시'),
    body: t(
      '{count}건이 앞으로도 블록에 들어가지 않을 때만 하세요. 지갑과 휴대전화에 열린 요청이 없는지, 지갑의 기록에 보낸 거래가 없는지 먼저 확인하세요. 논스가 확정되고 체인을 다시 읽은 뒤에 이 환불을 다시 보냅니다.',
      { count: count(ids.length) },
    ),
  })
  if (!yes) return
  for (const id of ids) await call(() => api.refunds({ id }).lost.post())
  await refreshDesk()
}
