/** Refunds, the wallets that pay them, and signatures. */
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
  '받는 주소를 아직 확인하지 못했습니다. 잠시 후 다시 시도하세요.':
    'The receiving address could not be checked yet. Try again in a moment.',
  '서명을 아직 확인하지 못했습니다. 잠시 후 다시 시도하세요.':
    'The signature could not be checked yet. Try again in a moment.',
  '결제한 지갑의 서명이 아닙니다.': 'This is not a signature of the wallet that paid.',
  '이 지갑의 서명이 아닙니다.': 'This is not a signature of this wallet.',
  '지금 이벤트와 이 지갑의 문장이 아닙니다. 페이지를 새로 고치고 다시 서명하세요.':
    'This is not the message of the current event and this wallet. Reload the page and sign again.',
  '해당 환불 항목이 없습니다.': 'There is no such refund.',
  '보류된 환불 항목이 아닙니다.': 'This refund is not held.',
  '해당 전송 내역이 없습니다.': 'There is no such transfer.',
  '환불 컨트랙트로 지급된 전송은 변경할 수 없습니다.':
    'A transfer that the refund contract made cannot be changed.',
  '이 전송보다 먼저 추첨된, 받는 지갑의 미지급 USDT 경품이 없습니다.':
    'The receiver has no unpaid USDT prize that was drawn before this transfer.',
  '환불을 받을 수 없는 주소입니다.': 'This address cannot receive refunds.',
  '이미 환불이 완료된 항목입니다.': 'This refund is already paid.',
  '환불 거래가 진행 중인 항목입니다.': 'A transaction of this refund is under way.',
  '운영자 지갑이 아닙니다.': 'This is not one of the operator’s wallets.',
  '지갑의 논스를 아직 확인하지 못했습니다. 잠시 후 다시 시도하세요.':
    'The nonce of the wallet could not be read yet. Try again in a moment.',
  '키를 분실했거나 도난당한 것으로 등록된 지갑입니다.': 'The key of this wallet is noted as lost or stolen.',
  '환불 컨트랙트로만 지급할 수 있는 지갑입니다.': 'This wallet can pay through the refund contract alone.',
  '백업에서 되살린 데이터베이스라 우리 지갑에 넘긴 환불 컨트랙트 호출을 모두 알지 못합니다. 그동안 환불 컨트랙트로만 지급할 수 있습니다.':
    'This database was restored from a backup and does not know every call of the refund contract that our wallets were given. Until then only the refund contract can pay.',
  '지갑에서 다른 거래가 진행 중입니다. 완료된 뒤 다시 시도하세요.':
    'Another transaction of this wallet is under way. Try again when it is done.',
  '다른 지갑이 이 지갑의 환불을 이미 지급했거나 넘겨받아 진행 중이라 되돌릴 수 없습니다.':
    'This cannot be taken back: another wallet has paid refunds of this one, or is paying them.',
  '백업에서 되살린 데이터베이스라 다른 지갑이 이 지갑의 환불을 넘겨받았는지 알지 못합니다. 그 지갑들의 제한이 풀린 뒤 다시 시도하세요.':
    'This database was restored from a backup and does not know whether another wallet took over refunds of this one. Try again when the limits of those wallets are lifted.',
  '이 항목은 체인에서 자동으로 확인됩니다.': 'This refund is checked on the chain by itself.',
  '{hours}시간 뒤에 표시할 수 있습니다.': 'It can be marked in {hours} h.',
  '이 환불 항목은 그동안 다시 넘겨졌습니다. 새로 고친 뒤 확인하세요.':
    'This refund was handed out again meanwhile. Reload and check it.',
  '블록체인에서 보낸 내역을 확인할 수 없어 환불을 진행할 수 없습니다. 잠시 후 다시 시도하세요.':
    'The chain cannot tell what was sent, so refunds wait. Try again in a moment.',
} as const
