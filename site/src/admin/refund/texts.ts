import doneIcon from 'lucide-static/icons/check.svg?raw'
import clockIcon from 'lucide-static/icons/clock.svg?raw'
import askIcon from 'lucide-static/icons/eye.svg?raw'
import sentIcon from 'lucide-static/icons/loader-circle.svg?raw'
import heldIcon from 'lucide-static/icons/pause.svg?raw'
import signIcon from 'lucide-static/icons/pencil.svg?raw'
import aheadIcon from 'lucide-static/icons/triangle-alert.svg?raw'
import failedIcon from 'lucide-static/icons/x.svg?raw'
import { centsOf, unitsOf, unitsText } from '../../../../core/money.ts'
import type { RefundGroup } from '../../../../core/refund/progress.ts'
import type { Tone } from '../frame/Badge.tsx'
import { usdtColumn } from '../frame/numbers.ts'
import { t } from '../language/t.ts'
import type { DeskRow, PayerBooks } from './types.ts'

export type RowState = { tone: Tone; icon: string; word: string; text: string }

const holds: Record<string, readonly [word: string, text: string]> = {
  contract: [
    t('보류, 컨트랙트'),
    t(
      '결제한 주소가 컨트랙트입니다. 돈을 돌려받지 못할 수 있어, 보류를 해제하거나 서명으로 주소를 바꿔야 보냅니다.',
    ),
  ],
  exchange: [
    t('보류, 거래소'),
    t(
      '거래소의 출금 주소로 알려져 있습니다. 이 주소로 보내면 거래소가 받으므로, 구매자에게 닿지 않을 수 있습니다.',
    ),
  ],
  early: [
    t('보류, 판매 전 송금'),
    t(
      '판매가 시작되기 전에 들어온 돈이라 래플과 무관할 수 있습니다. 날짜를 확인한 뒤, 돌려줄 돈이면 보류를 해제하세요.',
    ),
  ],
  lost: [
    t('보류, 잃은 지갑으로 송금'),
    t(
      '키를 잃었다고 알린 뒤에 그 지갑으로 들어온 돈입니다. 키를 훔친 사람이 자기 돈을 보내고 다른 지갑에서 돌려받으려는 것일 수 있습니다. 구매자가 확인된 뒤에만 보류를 해제하세요.',
    ),
  ],
  dust: [t('보류, 소액'), t('최소 환불액보다 적어 따로 두었습니다. 보류를 해제하면 함께 보냅니다.')],
}

const ahead: RowState = {
  ...{ tone: 'bad', icon: aheadIcon, word: t('장부보다 앞섬') },
  text: t(
    '컨트랙트가 이 장부보다 더 많은 지급을 기억합니다. 체인 기록을 다 읽을 때까지 기다리세요. 그래도 남으면 데이터베이스를 옛 백업에서 되살렸는지 확인하고, 운영 안내서를 따르세요. 도난당한 지갑이 보낸 것이면 그 지갑의 키를 잃었다고 알리세요. 그때까지 보내지 않습니다.',
  ),
}

const elsewhere: RowState = {
  ...{ tone: 'bad', icon: aheadIcon, word: t('다른 주소로 지급됨') },
  text: t(
    '컨트랙트가 이 구매자 몫을 그가 지정하지 않은 주소로 지급했습니다. 구매자는 받지 못했고, 이 지갑은 컨트랙트로 다시 지급할 수 없습니다. 데이터베이스를 백업에서 되살렸다면 구매자가 그 뒤에 지정한 주소인지 먼저 확인하세요. 아니면 지갑의 키가 도난당했는지 확인하고, 다른 지갑이나 일반 전송으로 보내세요.',
  ),
}

/** Also of a row that has failed: what it waits for is the same. */
const unread: RowState = {
  ...{ tone: 'wait', icon: clockIcon, word: t('두 번째 판독 대기') },
  text: t(
    '한도를 넘은 결제입니다. 판매를 두 번째로 읽어 그 블록을 지나야 보냅니다. 그때까지는 티켓을 받을 수 있습니다.',
  ),
}

const openCall: RowState = {
  ...{ tone: 'wait', icon: askIcon, word: t('결과 확인 중') },
  text: t(
    '환불 컨트랙트로 넘겼지만 답을 받지 못했습니다. 다시 승인해도 두 번 지급되지 않습니다. 직접 지급하지는 마세요.',
  ),
}

/** How a row is shown; `isAsked` while this window's wallet has a request for it. */
export function stateOf(row: DeskRow, isAsked = false): RowState {
  const hold = holds[row.reason ?? '']
  if (row.reason === 'ahead' && row.state !== 'settled') return ahead
  if (row.reason === 'elsewhere' && (row.state === 'planned' || row.state === 'failed')) return elsewhere
  if (row.reason === 'unread' && row.state === 'failed') return unread
  switch (row.state) {
    case 'settled':
      return {
        ...{ tone: 'ok', icon: doneIcon, word: t('완료') },
        text:
          row.reason === 'covered'
            ? t('이 주소로 보낸 다른 전송이 환불액과 같아 완료되었습니다.')
            : t('체인에서 확정되었습니다.'),
      }
    case 'sent':
      return {
        ...{ tone: 'wait', icon: sentIcon, word: t('전송됨') },
        text: t('거래를 보냈습니다. 블록이 확정되면 완료됩니다.'),
      }
    case 'offered':
      if (!isAsked && row.offeredPath === 'register') return openCall
      return isAsked
        ? { tone: 'wait', icon: signIcon, word: t('서명 대기'), text: t('지갑에서 승인하세요.') }
        : {
            ...{ tone: 'wait', icon: askIcon, word: t('결과 확인 중') },
            text: t(
              '지갑에 넘겼지만 답을 받지 못했습니다. 체인에서 결과가 확인될 때까지 다시 보내지 않습니다.',
            ),
          }
    case 'failed':
      return {
        ...{ tone: 'bad', icon: failedIcon, word: t('실패') },
        text: t(
          '보낸 거래가 취소되거나 다른 거래로 바뀌어 지급되지 않았습니다. 다음 서명에서 다시 보냅니다.',
        ),
      }
    case 'planned':
      if (hold) return { tone: 'held', icon: heldIcon, word: hold[0], text: hold[1] }
      if (row.reason === 'unchecked')
        return {
          ...{ tone: 'plain', icon: clockIcon, word: t('주소 확인 중') },
          text: t('결제한 주소가 컨트랙트인지 체인에 묻고 있습니다.'),
        }
      if (row.reason === 'unread') return unread
      if (row.reason === 'covered')
        return {
          ...{ tone: 'held', icon: askIcon, word: t('확인 필요') },
          text: t(
            '이 주소로 환불액보다 많은 돈이 이미 나갔습니다. 아래 ‘환불인지 모르는 전송’에서 구분하세요.',
          ),
        }
      return { tone: 'plain', icon: clockIcon, word: t('예정'), text: t('다음 서명에서 보냅니다.') }
  }
}

/** Every unit of it, with two decimals where these are all there is. */
export const exactUsdt = (units: bigint): string =>
  units === unitsOf(centsOf(units)) ? usdtColumn(Number(centsOf(units))) : unitsText(units)

export type Group = RefundGroup
export const groupTexts: Record<Group | 'all', string> = {
  all: t('전체'),
  left: t('남음'),
  underWay: t('진행 중'),
  held: t('보류'),
  done: t('완료'),
}

export const kindTexts: Record<DeskRow['kind'], string> = {
  event: t('이벤트 전액'),
  leftover: t('티켓 없는 결제'),
}

/** What a transfer out counts as in the books. */
export function transferClass({
  notRefund,
  viaRegister,
  rowId,
}: Pick<PayerBooks['transfers'][number], 'notRefund' | 'viaRegister' | 'rowId'>): {
  tone: Tone
  word: string
} {
  if (notRefund) return { tone: 'plain', word: t('환불 아님') }
  if (viaRegister) return { tone: 'ok', word: t('환불, 컨트랙트') }
  return rowId === null ? { tone: 'wait', word: t('환불에서 뺌') } : { tone: 'ok', word: t('환불') }
}
