import type { PublicSolvency } from '../../../../core/live/solvency.ts'
import type { CoverWord } from '../../live/cover.ts'
import type { Tone } from '../frame/Badge.tsx'
import { t } from '../language/t.ts'

export const coverBadges: Record<CoverWord, [Tone, string]> = {
  loading: ['plain', t('확인 중')],
  covered: ['ok', t('충분')],
  short: ['bad', t('부족')],
  unknown: ['plain', t('확인 불가')],
  stale: ['plain', t('이전 값')],
}

export const equationWords: Record<PublicSolvency['equation'], [word: string, text: string]> = {
  holds: [t('일치'), t('처음 잔액과 들어오고 나간 돈이 지갑 잔액과 같습니다.')],
  broken: [t('불일치'), t('빠진 결제나 전송이 있습니다. 판매가 멈췄습니다.')],
  unknown: [t('확인 불가'), t('노드 두 곳의 같은 답을 받지 못했습니다.')],
}

export const owedWords: Record<keyof PublicSolvency['owed'], string> = {
  credited: t('티켓'),
  prizes: t('경품'),
  refunds: t('환불'),
  leftovers: t('티켓 없는 결제'),
}
