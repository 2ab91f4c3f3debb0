export const exports = {
  내보내기: 'Exports',
  '받는 순간의 기록으로 만듭니다. 큰 파일은 만드는 동안에도 조금씩 내려받습니다.':
    'Made from the records of that moment. A large file downloads while it is being made.',
  '티켓 목록': 'Tickets',
  '엑셀 다운로드에 실패했습니다': 'The Excel download failed',
  '진행 중인 이벤트의 티켓입니다. 결제마다 한 줄이며, 누구나 받을 수 있는 공개 자료입니다.':
    'The tickets of the running event, a line for each payment. This is public data that anyone can get.',
  '모든 이벤트의 추첨 일시, 당첨자, 난수, 명단 지문입니다.':
    'Draw date, winner, random number and ledger fingerprint of every event.',
  '환불 대상 내보내기에 실패했습니다': 'The refund list export failed',
  '이벤트별 결제': 'Payments of an event',
  '티켓이 없는 결제까지 모두 들어 있습니다.': 'Holds every payment, also those without tickets.',
  '이벤트가 없습니다.': 'There are no events.',
  '이벤트 {number}': 'Event {number}',
  '이벤트 {chosen} 결제 엑셀 받기': 'Get the payments of event {chosen} as Excel',
  '{received} 받음': '{received} received',
  '돌려줄 돈이 있는 지갑마다 한 줄입니다. 돌려줄 금액, 돌려준 금액, 상태, 마지막 거래가 들어 있습니다.':
    'A line for each wallet that is owed something: owed, paid back, state, last transaction.',
} as const
