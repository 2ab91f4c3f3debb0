import type { PublicPrize, PublicPrizeStep } from '../../../../core/prize/promise.ts'
import { type PrizeStanding, standingOf } from '../../winner/prizes.ts'
import { t } from '../language/t.ts'
import type { Tone } from '../ui/Badge.tsx'

export const standings: Record<PrizeStanding, { tone: Tone; word: string }> = {
  due: { tone: 'wait', word: t('지급 예정') },
  paid: { tone: 'ok', word: t('지급 완료') },
  unclaimed: { tone: 'plain', word: t('신청 전') },
  claimed: { tone: 'wait', word: t('신청됨, 발송 대기') },
  sent: { tone: 'wait', word: t('발송됨') },
  delivered: { tone: 'ok', word: t('수령 완료') },
  lapsed: { tone: 'plain', word: t('신청 없이 종료') },
}

export const stepWords: Record<PublicPrizeStep['step'], string> = {
  drawn: t('추첨 (한국)'),
  turn: t('예비 차례 (한국)'),
  claimed: t('신청 (한국)'),
  sent: t('발송 (한국)'),
  corrected: t('발송 정정 (한국)'),
  delivered: t('수령 (한국)'),
}

const tasks: Record<PrizeStanding, string> = {
  due: t(
    '아래 금액을 받을 지갑으로 보낸 뒤 거래 해시를 기록하세요. 체인에서 금액이 확인되면 지급 완료가 됩니다.',
  ),
  paid: t('체인에서 확인되었습니다. 더 할 일이 없습니다.'),
  unclaimed: t('받을 사람의 신청을 기다립니다. 기한이 지나면 규칙에 따라 다음 예비 당첨자의 차례가 됩니다.'),
  claimed: t('양식의 수령 코드를 확인한 뒤 보내고, 발송으로 표시하세요.'),
  sent: t('받은 것이 확인되면 받은 것으로 표시하세요.'),
  delivered: t('더 할 일이 없습니다.'),
  lapsed: t('당첨자와 예비 당첨자 모두 기한 안에 신청하지 않았습니다. 공개 페이지에 그렇게 남습니다.'),
}

/** What somebody has to do now. */
export const nextTask = (prize: PublicPrize): string => tasks[standingOf(prize)]
