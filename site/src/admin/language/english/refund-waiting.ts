export const refundWaiting = {
  '두 번째 판독 대기': 'Waits for the second reading',
  '한도를 넘은 결제입니다. 판매를 두 번째로 읽어 그 블록을 지나야 보냅니다. 그때까지는 티켓을 받을 수 있습니다.':
    'This payment is above a limit. It is sent once the sale has been read a second time up to its block. Until then it may still get tickets.',
  '판매를 두 번째로 읽은 뒤에 {sum}를 보낼 수 있습니다.':
    '{sum} can be sent once the sale has been read a second time.',
  '두 번째 판독을 기다리는 환불이 있습니다.': 'Refunds wait for the second reading.',
  '한도를 넘은 결제 중 주소 {payers}개, {amount} USDT는 아직 티켓을 받을 수 있어 기다립니다. 판매를 두 번째로 읽어 그 블록을 지나면 준비할 수 있습니다.':
    'Of the payments above a limit, {payers} addresses with {amount} USDT wait, as they may still get tickets. They can be prepared once the sale has been read a second time up to their blocks.',
} as const
