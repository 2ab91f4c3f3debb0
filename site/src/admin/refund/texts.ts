import doneIcon from 'lucide-static/icons/check.svg?raw'
import clockIcon from 'lucide-static/icons/clock.svg?raw'
import askIcon from 'lucide-static/icons/eye.svg?raw'
import sentIcon from 'lucide-static/icons/loader-circle.svg?raw'
import heldIcon from 'lucide-static/icons/pause.svg?raw'
import signIcon from 'lucide-static/icons/pencil.svg?raw'
import failedIcon from 'lucide-static/icons/x.svg?raw'
import type { Tone } from '../frame/Badge.tsx'
import type { DeskRow } from './types.ts'

export type RowState = { tone: Tone; icon: string; word: string; text: string }

const holds: Record<string, readonly [word: string, text: string]> = {
  contract: [
    '보류, 컨트랙트',
    '결제한 주소가 컨트랙트입니다. 돈을 돌려받지 못할 수 있어, 보류를 해제하거나 서명으로 주소를 바꿔야 보냅니다.',
  ],
  exchange: [
    '보류, 거래소',
    '거래소의 출금 주소로 알려져 있습니다. 이 주소로 보내면 거래소가 받으므로, 구매자에게 닿지 않을 수 있습니다.',
  ],
  early: [
    '보류, 판매 전 송금',
    '판매가 시작되기 전에 들어온 돈이라 래플과 무관할 수 있습니다. 날짜를 확인한 뒤, 돌려줄 돈이면 보류를 해제하세요.',
  ],
  dust: ['보류, 소액', '최소 환불액보다 적어 따로 두었습니다. 보류를 해제하면 함께 보냅니다.'],
}

/** How a row is shown; `isAsked` while this window's wallet has a request for it. */
export function stateOf(row: DeskRow, isAsked = false): RowState {
  const hold = holds[row.reason ?? '']
  switch (row.state) {
    case 'settled':
      return {
        ...{ tone: 'ok', icon: doneIcon, word: '완료' },
        text:
          row.reason === 'covered'
            ? '이 주소로 보낸 다른 전송이 환불액과 같아 완료되었습니다.'
            : '체인에서 확정되었습니다.',
      }
    case 'sent':
      return {
        ...{ tone: 'wait', icon: sentIcon, word: '전송됨' },
        text: '거래를 보냈습니다. 블록이 확정되면 완료됩니다.',
      }
    case 'offered':
      return isAsked
        ? { tone: 'wait', icon: signIcon, word: '서명 대기', text: '지갑에서 승인하세요.' }
        : {
            ...{ tone: 'wait', icon: askIcon, word: '결과 확인 중' },
            text: '지갑에 넘겼지만 답을 받지 못했습니다. 체인에서 결과가 확인될 때까지 다시 보내지 않습니다.',
          }
    case 'failed':
      return {
        ...{ tone: 'bad', icon: failedIcon, word: '실패' },
        text: '보낸 거래가 취소되거나 다른 거래로 바뀌어 지급되지 않았습니다. 다음 서명에서 다시 보냅니다.',
      }
    case 'planned':
      if (hold) return { tone: 'held', icon: heldIcon, word: hold[0], text: hold[1] }
      if (row.reason === 'unchecked')
        return {
          ...{ tone: 'plain', icon: clockIcon, word: '주소 확인 중' },
          text: '결제한 주소가 컨트랙트인지 체인에 묻고 있습니다.',
        }
      if (row.reason === 'covered')
        return {
          ...{ tone: 'held', icon: askIcon, word: '확인 필요' },
          text: '이 주소로 환불액보다 많은 돈이 이미 나갔습니다. 아래 ‘환불인지 모르는 전송’에서 구분하세요.',
        }
      return { tone: 'plain', icon: clockIcon, word: '예정', text: '다음 서명에서 보냅니다.' }
  }
}

export type Group = 'left' | 'underWay' | 'held' | 'done'
export const groupTexts: Record<Group | 'all', string> = {
  all: '전체',
  left: '남음',
  underWay: '진행 중',
  held: '보류',
  done: '완료',
}

/** Each row is in exactly one group, so that the groups add up to the total. */
export function groupOf({ state, reason }: Pick<DeskRow, 'state' | 'reason'>): Group {
  if (state === 'settled') return 'done'
  if (state === 'offered' || state === 'sent') return 'underWay'
  return holds[reason ?? ''] ? 'held' : 'left'
}
