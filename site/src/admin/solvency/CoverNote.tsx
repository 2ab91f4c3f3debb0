import { useStore } from '@nanostores/react'
import { usdtOf } from '../../../../core/money.ts'
import { culprit } from '../../live/cover.ts'
import { $solvency } from '../../live/live.ts'
import { HashText } from '../frame/HashText.tsx'
import { Note } from '../frame/Note.tsx'
import { t } from '../language/t.ts'

/** Above every tab while money is missing, or the wallets hold another sum than the records say. */
export function CoverNote() {
  const solvency = useStore($solvency)
  if (solvency?.equation === 'broken')
    return (
      <Note tone="bad" role="alert">
        <b>{t('지갑 잔액이 기록과 맞지 않습니다.')}</b>{' '}
        {t(
          '체인에서 읽지 못한 결제나 전송이 있을 수 있어 판매를 멈췄습니다. 운영 안내서의 EquationBroken을 따르세요.',
        )}
      </Note>
    )
  if (solvency?.state !== 'short') return null
  const made = culprit(solvency)
  return (
    <Note tone="bad" role="alert">
      <b>{t('지급할 금액보다 {cover} USDT 부족합니다.', { cover: usdtOf(solvency.cover) })}</b>{' '}
      {t('공개 페이지에도 부족으로 나타납니다. 서명으로 확인된 운영자 지갑에 USDT를 채우세요.')}{' '}
      {made && (
        <>
          {t('원인이 된 거래:')} <HashText hash={made.transactionHash} />
        </>
      )}
    </Note>
  )
}
