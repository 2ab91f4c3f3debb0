/** Refunds, and signatures of wallets. */
export const refund = {
  '당첨자가 있는 이벤트는 환불할 수 없습니다.': 'An event with a winner cannot be refunded.',
  '티켓이 판매되지 않은 이벤트라 환불할 금액이 없습니다.':
    'No ticket of this event was sold: there is nothing to refund.',
  '최소 판매 수량에 도달한 이벤트는 환불할 수 없습니다.':
    'An event that reached its minimum cannot be refunded.',
  '티켓 목록이 아직 확정되지 않았습니다. 잠시 후 다시 시도하세요.':
    'The ticket list is not frozen yet. Try again in a moment.',
  '환불은 추첨 시각이 지난 뒤에 시작할 수 있습니다.': 'Refunds can begin after the draw date.',
  '최소 티켓 수를 달성하여 환불 대상이 아닙니다.': 'The minimum was reached: there are no refunds.',
  '아직 환불 모드가 아닙니다.': 'The event is not in refund mode.',
  '환불이 일시 중지되었습니다. 운영 설정(REFUNDS_PAUSED)을 확인해주세요.':
    'Refunds are paused. Check REFUNDS_PAUSED in the server settings.',
  '환불 합계가 변경되었습니다. 새로고침 후 다시 확인해주세요.':
    'The totals of the refunds have changed. Reload and check them again.',
  '환불할 금액이 없습니다.': 'There is nothing to refund.',
  '서명을 아직 확인하지 못했습니다. 잠시 후 다시 시도하세요.':
    'The signature could not be checked yet. Try again in a moment.',
  '이 지갑의 서명이 아닙니다.': 'This is not a signature of this wallet.',
  '해당 환불 항목이 없습니다.': 'There is no such refund.',
  '해당 전송 내역이 없습니다.': 'There is no such transfer.',
  '운영자 지갑이 아닙니다.': 'This is not one of the operator’s wallets.',
  '블록체인에서 보낸 내역을 확인할 수 없어 환불을 진행할 수 없습니다. 잠시 후 다시 시도하세요.':
    'The chain cannot tell what was sent, so refunds wait. Try again in a moment.',
  '지난 시각이어야 합니다.': 'Must be a time that has passed.',
  '어느 경품인지 지정하세요.': 'Name the event and the place of the prize.',
  '이 거래에는 전송이 여러 개입니다. 받은 주소와 보낸 지갑을 함께 지정하세요.':
    'This transaction has several transfers: name the receiver and the wallet that sent it.',
} as const
