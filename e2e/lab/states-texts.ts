/** What a visitor reads, state by state, word for word as it was given (docs/spec.md) and as the Korean page says it. */
export type Texts = { en: readonly string[]; ko: readonly string[] }

const awaits = { en: ['Draw schedule'], ko: ['추첨 일정'] }

export const texts = {
  home: {
    en: [
      ...['$2,500', 'Next ticket', 'Start Draw', 'Buy Tickets', 'BSC', 'Draw Date', 'Sales End Date'],
      ...['Time Until Draw', 'Days', 'Hours', 'Minutes', 'Seconds', 'Add to calendar'],
      'Sales are open until a draw date is set.',
      ...['Retail price', '4,100,000 won', 'Prize value', 'about 385 coins', 'October 2025'],
      ...['Collect five block hashes', 'Combine them with SHA256', 'Select the winner', 'Publish the result'],
      ...['How to Participate', '99 USDT in one transaction = 33 tickets', 'Operator wallet', 'Copy'],
      'Your tickets appear in Recent Purchases within 24 hours, based on the amount sent.',
      'Every payment goes back in full to the address it came from, within 3-5 business days.',
      ...['In four steps', 'Get USDT on BSC', 'Connect your wallet', 'Watch the draw', 'Why choose us'],
      ...['A list anyone can rebuild', 'A draw anyone can repeat', 'No second draw', 'No purchase limit'],
      ...['Refund below the minimum', 'No account'],
    ],
    ko: [
      ...['$2,500', '다음 티켓', '추첨 시작', '티켓 구매', 'BSC', '추첨일', '판매 마감일'],
      ...['추첨까지 남은 시간', '일', '시간', '분', '초', '캘린더에 추가'],
      '추첨일이 정해질 때까지 판매합니다.',
      ...['소비자가', '4,100,000원', '경품 가치', '약 385코인', '2025년 10월'],
      ...['블록 해시 다섯 개 수집', 'SHA256으로 결합', '당첨자 선정', '결과 공개'],
      ...['참여 방법', '한 번에 99 USDT 전송 = 티켓 33장', '운영자 지갑', '복사'],
      '보낸 금액에 따라 24시간 안에 최근 구매 목록에 티켓이 표시됩니다.',
      '모든 결제를 보낸 주소로 3-5영업일 안에 전액 환불합니다.',
      ...['네 단계로 참여하기', 'BSC에서 USDT 준비', '지갑 연결', '추첨 보기', 'Blockdraw를 선택하는 이유'],
      ...['누구나 다시 만들 수 있는 목록', '누구나 다시 해볼 수 있는 추첨', '다시 뽑을 수 없는 추첨'],
      ...['구매 제한 없음', '최소 수량 미달 시 환불', '가입 없음'],
    ],
  },
  footer: {
    en: ['support@blockdraw.example', 'X', 'Partner shop', '© 2025 Blockdraw'],
    ko: ['support@blockdraw.example', 'X', '제휴 쇼핑몰', '© 2025 Blockdraw'],
  },
  notSet: { en: ['Draw Date Not Set', 'Sales End Date Not Set'], ko: ['추첨일 미정', '판매 마감일 미정'] },
  scheduled: {
    en: ['September 30, 2055', '12:00 PM UTC', 'Sales close on September 29, 2055 at 12:00 PM UTC.'],
    ko: ['2055년 9월 30일', '오후 12:00 UTC', '판매 마감: 2055년 9월 29일 오후 12:00 UTC'],
  },
  local: { en: ['Sep 30, 09:00 PM your time'], ko: ['현지 시각 9월 30일 오후 09:00'] },
  buy: {
    en: [
      ...['Buy Tickets', 'Total Sales:', 'tickets sold', 'No Purchase Limit Per Wallet', 'How to buy'],
      ...['Select a quantity', 'Pay in one transaction', 'Receive your tickets', 'Sending by hand?'],
      ...['Operator wallet', 'Wallet', 'Not connected', 'Choose wallet', 'Balance', 'Quantity'],
      ...['Ticket Price 3 USDT', 'Quantity 1', 'Total Amount 3 USDT', 'Connect a wallet first.'],
      'Any remainder below one ticket stays with the operator.',
      ...['If too few tickets are sold', 'Minimum of 100 tickets', 'Pay from a phone'],
    ],
    ko: [
      ...['티켓 구매', '총 판매량:', '장 판매', '지갑당 구매 제한 없음', '구매 방법'],
      ...['수량 선택', '한 번에 결제', '티켓 받기', '직접 송금하시나요?'],
      ...['운영자 지갑', '지갑', '연결되지 않음', '지갑 선택', '잔액', '수량'],
      ...['티켓 가격 3 USDT', '수량 1', '총 결제 금액 3 USDT', '먼저 지갑을 연결하세요.'],
      '티켓 한 장 값에 못 미치는 나머지 금액은 운영자에게 남습니다.',
      ...['티켓이 충분히 팔리지 않으면', '최소 100장', '휴대전화로 결제'],
    ],
  },
  approving: {
    en: [
      'Processing...',
      'Your purchase',
      'Approve in MetaMask',
      'Sent to BNB Smart Chain',
      'Waiting for finality',
    ],
    ko: ['처리 중...', '내 구매', 'MetaMask에서 승인', 'BNB Smart Chain으로 전송', '확정 대기'],
  },
  credited: {
    en: [
      'Credited',
      'Approved in your wallet',
      'Final on the chain',
      'Tickets issued',
      '33 tickets, 99 USDT',
      'My tickets',
    ],
    ko: ['발급 완료', '지갑에서 승인 완료', '체인에서 확정', '티켓 발급', '33장, 99 USDT', '내 티켓'],
  },
  lacking: {
    en: ['Not enough USDT: this wallet holds', 'and 1,200,000 are needed.'],
    ko: ['USDT가 부족합니다.', '1,200,000 USDT가 필요합니다.'],
  },
  bought: { en: ['99 USDT', '33 tickets'], ko: ['99 USDT', '33장'] },
  odds: {
    en: ['33 of 12,410 tickets would be yours: 1 in 376 if the sale ended now.'],
    ko: ['전체 12,410장 중 33장을 갖게 됩니다. 지금 판매가 끝나면 확률은 376분의 1입니다.'],
  },
  closing: { en: ['0d 00:01:'], ko: ['0일 00:01:'] },
  paused: {
    en: ['Sales are paused for now. Payments already made are credited.'],
    ko: ['판매를 잠시 멈췄습니다. 이미 결제한 금액은 정상 처리됩니다.'],
  },
  notFinal: { en: ['9 USDT', 'Paid, and not final yet.'], ko: ['9 USDT', '아직 확정되지 않았습니다.'] },
  waitsForNode: {
    en: ['9 USDT', 'Paid, waiting for a second node'],
    ko: ['9 USDT', '결제됨, 두 번째 노드를 기다리는 중'],
  },
  closed: {
    en: ['Sales closed', 'The sale of this event is over.', 'Closed'],
    ko: ['판매 마감', '이번 이벤트의 판매가 끝났습니다.', '마감'],
  },
  recent: {
    en: ['Recently Purchased Tickets', 'Open BscScan', 'Find a payment'],
    ko: ['최근 구매한 티켓', 'BscScan 열기', '결제 조회'],
  },
  recentEmpty: {
    en: ['No tickets purchased yet.', 'Try buying your first raffle ticket!'],
    ko: ['아직 구매된 티켓이 없습니다.', '첫 번째 티켓을 구매해 보세요!'],
  },
  recentRow: { en: ['#8265', '37,035 USDT', '12,345 tickets'], ko: ['#8265', '37,035 USDT', '12,345장'] },
  draw: {
    en: ['Winner Announcement', 'Check this draw', 'Past Winner History', 'What a check proves'],
    ko: ['당첨자 발표', '추첨 검증', '지난 당첨 기록', '검증으로 알 수 있는 것'],
  },
  drawScheduled: {
    en: ['Draw Scheduled', ...awaits.en, 'September 30, 2055 at 12:00 PM UTC'],
    ko: ['추첨 예정', ...awaits.ko, '2055년 9월 30일 오후 12:00 UTC'],
  },
  drawTbd: { en: ['Draw Scheduled', 'TBD'], ko: ['추첨 예정', '미정'] },
  drawAwaiting: { en: ['Awaiting Draw', ...awaits.en], ko: ['추첨 대기', ...awaits.ko] },
  drawRunning: { en: ['Draw in progress', ...awaits.en], ko: ['추첨 진행 중', ...awaits.ko] },
  announced: {
    en: [
      ...[
        'winning ticket #10331',
        '0x7099…79C8',
        'Announced at',
        'Ticket hash',
        'View on BSC',
        'Random number',
      ],
      ...['Is this your wallet?', 'Connect to sign', 'Submit Shipping Information', 'Opens forms.gle'],
      'Shipping takes 3-5 days after confirmation.',
    ],
    ko: [
      ...['당첨 티켓 #10331', '0x7099…79C8', '발표 시각', '티켓 해시', 'BSC에서 보기', '난수'],
      ...['본인의 지갑인가요?', '지갑 연결 후 서명', '배송 정보 제출'],
      ...['forms.gle에서 열립니다', '확인 후 3-5일 안에 배송합니다.'],
    ],
  },
  announcedRefund: {
    en: ['Refund Announcement!', 'Refund information.', 'within 3-5 business days'],
    ko: ['환불 안내', '환불 안내.', '3-5영업일 안에 전액 환불합니다.'],
  },
  refund: {
    en: [
      ...['Refund Announcement!', 'Refund Notice'],
      'Refund processing due to insufficient minimum ticket quantity. Full refunds go to the sending addresses, within 3-5 business days.',
    ],
    ko: [
      '환불 안내',
      '최소 티켓 수량이 채워지지 않아 환불을 진행합니다. 보낸 주소로 3-5영업일 안에 전액 환불합니다.',
    ],
  },
  openRefund: {
    en: ['Refunds began 3 days ago. 1,228 of 1,240 wallets are paid in full.'],
    ko: ['환불을 시작한 지 3일 지났습니다. 지갑 1,240개 중 1,228개에 모두 돌려드렸습니다.'],
  },
  refundToday: {
    en: ['Refunds began today. 0 of 4 wallets are paid in full.'],
    ko: ['오늘 환불을 시작했습니다. 지갑 4개 중 0개에 모두 돌려드렸습니다.'],
  },
  changedTerms: {
    en: ['as the rules allow: minimum number of tickets', 'list of changes'],
    ko: ['규칙에 따라 바뀐 조건: 최소 티켓 수', '변경 내역'],
  },
  brokenTerms: {
    en: ['against what you were promised: operator wallet. Do not buy more'],
    ko: ['약속과 다르게 바뀐 조건: 운영자 지갑. 더 구매하지 마시고'],
  },
  soon: { en: ['Sales open in a moment.'], ko: ['곧 판매를 시작합니다.'] },
  pausedForNode: {
    en: ['Payments are credited once a second node of the chain confirms them.'],
    ko: ['체인의 두 번째 노드가 확인하는 대로 결제를 처리합니다.'],
  },
  undrawn: {
    en: ['Would have won', 'ticket #1580 of 12,377', '0x7099…79C8', 'nobody has won', 'no prize to claim'],
    ko: [
      ...['추첨했다면 나왔을 티켓', '전체 12,377장 중 #1580 티켓', '0x7099…79C8'],
      '추첨하지 않았으므로 당첨자도, 받을 경품도 없습니다.',
    ],
  },
  undrawnPast: {
    en: ['Would have won: ticket #1580, 0x7099…79C8. Not drawn, refunded.'],
    ko: ['추첨했다면 나왔을 티켓: #1580, 0x7099…79C8. 추첨 없이 환불했습니다.'],
  },
  undrawnOverlay: {
    en: ['would have named ticket #1580', 'nobody has won'],
    ko: ['#1580 티켓이 나왔을 것입니다', '당첨자는 없습니다'],
  },
  historyEmpty: { en: ['No past winner records yet.'], ko: ['아직 지난 당첨 기록이 없습니다.'] },
  history: {
    en: ['Event #12', 'Event #10', 'N/A', '785416607970…89806461', 'BSC', 'Previous', 'Next'],
    ko: ['이벤트 #12', '이벤트 #10', '없음', '785416607970…89806461', 'BSC', '이전', '다음'],
  },
  next: {
    en: [
      ...[
        'Next Event',
        'The picture of the next prize appears here.',
        'Prize value TBA',
        'Status Coming Soon',
      ],
      ...['Next event details will be announced soon...', 'This event is separate from the current raffle.'],
    ],
    ko: [
      ...['다음 이벤트', '다음 경품 사진이 여기에 표시됩니다.', '경품 가치 추후 공개', '상태 준비 중'],
      ...['다음 이벤트 소식을 곧 알려드립니다...', '이 이벤트는 현재 추첨과 별개입니다.'],
    ],
  },
  nextActive: {
    en: ['Prize value $3,200', 'Status Active', 'Event start', 'UTC', 'A second miner'],
    ko: ['경품 가치 $3,200', '상태 진행 중', '이벤트 시작', 'UTC', 'A second miner'],
  },
  dialog: {
    en: ['Connect Wallet', 'Connect MetaMask', 'Download MetaMask'],
    ko: ['지갑 연결', 'MetaMask 연결', 'MetaMask 내려받기'],
  },
  overlayWaiting: {
    en: ['Awaiting Draw', 'Waiting for draw...', 'Close'],
    ko: ['추첨 대기', '추첨을 기다리는 중...', '닫기'],
  },
  overlayDrawing: {
    en: ['Prize Draw', 'Drawing in progress...'],
    ko: ['경품 추첨', '추첨 진행 중...'],
  },
  overlayWinner: { en: ['Winner: 0x7099…79C8', '4 6 1'], ko: ['당첨자: 0x7099…79C8', '4 6 1'] },
  overlayRefund: {
    en: ['Refund Notice', 'Refund processing due to insufficient minimum ticket quantity'],
    ko: ['환불 안내', '최소 티켓 수량이 채워지지 않아 환불을 진행합니다'],
  },
  overlayPending: {
    en: ['Administrator draw is in progress. Results will be announced shortly'],
    ko: ['관리자가 추첨을 진행하고 있습니다. 곧 결과를 발표합니다'],
  },
  overlayChecking: { en: ['Checking draw results'], ko: ['추첨 결과를 확인하는 중'] },
} as const satisfies Record<string, Texts>

type Toast = { en: readonly [title: string, text: string]; ko: readonly [title: string, text: string] }

export const toasts = {
  noMetaMask: {
    en: ['Connection Failed', 'MetaMask가 설치되어 있지 않습니다. 지갑을 설치한 뒤 다시 시도하세요.'],
    ko: ['연결 실패', 'MetaMask가 설치되어 있지 않습니다. 지갑을 설치한 뒤 다시 시도하세요.'],
  },
  connected: {
    en: ['Wallet Connected', 'MetaMask is connected to the BSC network.'],
    ko: ['지갑 연결 완료', 'MetaMask 지갑이 BSC 네트워크에 연결되었습니다.'],
  },
  progress: {
    en: ['Transaction in Progress', 'Please approve the transaction in MetaMask.'],
    ko: ['거래 진행 중', 'MetaMask에서 거래를 승인하세요.'],
  },
  done: {
    en: ['Ticket Purchase Complete!', 'Transaction has been processed successfully.'],
    ko: ['티켓 구매 완료!', '거래가 정상적으로 처리되었습니다.'],
  },
  refused: {
    en: ['Transaction Failed', 'You rejected the request in MetaMask.'],
    ko: ['거래 실패', 'MetaMask에서 요청을 거절했습니다.'],
  },
  disconnected: {
    en: ['Wallet Disconnected', 'Your wallet has been disconnected.'],
    ko: ['지갑 연결 해제', '지갑 연결이 해제되었습니다.'],
  },
} as const satisfies Record<string, Toast>
