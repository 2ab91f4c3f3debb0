import { useStore } from '@nanostores/react'
import { usdtOf } from '../../../../core/money.ts'
import { $solvency } from '../../live/live.ts'
import { t } from '../language/t.ts'
import { Badge, Group, Note } from '../ui/card.tsx'
import { count } from '../ui/format.ts'

const words = {
  covered: ['ok', t('충분')],
  short: ['bad', t('부족')],
  unknown: ['wait', t('확인 불가')],
} as const

/** What visitors see beside the minimum: held and owed at one final block. */
export function SolvencyCard() {
  const solvency = useStore($solvency)
  const [tone, word] = words[solvency?.state ?? 'unknown']
  const { held, required, block } = solvency ?? {}
  return (
    <Group title={t('보유 금액과 지급할 금액')} reason={t('최소 수량 옆에 같은 값이 공개됩니다.')}>
      <p>
        <Badge tone={tone}>{word}</Badge>{' '}
        {held && required && block
          ? t('블록 {block}에서 {held} USDT를 보유했고, 지급할 금액은 {required} USDT입니다.', {
              block: count(block.number),
              held: usdtOf(held),
              required: usdtOf(required),
            })
          : t('아직 두 노드의 같은 답을 받지 못했습니다.')}
      </p>
    </Group>
  )
}

/** Above every tab while money is missing. */
export function CoverNote() {
  const solvency = useStore($solvency)
  if (solvency?.state !== 'short' || !solvency.held || !solvency.required) return null
  const missing = BigInt(solvency.required) - BigInt(solvency.held)
  return (
    <Note tone="bad" role="alert">
      <b>{t('지급할 금액보다 {missing} USDT 부족합니다.', { missing: usdtOf(missing) })}</b>{' '}
      {t('공개 페이지에도 부족으로 나타납니다. 운영자 지갑에 USDT를 채우세요.')}
    </Note>
  )
}
