export const refund = {
  '환불 합계': 'Refund totals',
  '돌려줄 금액 (USDT)': 'Owed (USDT)',
  '돌려준 금액 (USDT)': 'Paid back (USDT)',
  '남은 금액 (USDT)': 'Left (USDT)',
  '주소 {count}개': '{count} {count:address|addresses}',
  '완료 {count}개': '{count} done',
  '그중 보류 {held}': '{held} of it held',
  '돌려줄 돈이 없습니다.': 'Nothing is owed to anybody.',
  '모두 돌려주었고 체인에서 확정되었습니다.': 'All paid back, and final on the chain.',
  '환불이 일시 중지되어 있습니다. 운영 설정(REFUNDS_PAUSED)을 확인하세요.':
    'Refunds are paused. Check REFUNDS_PAUSED on the server.',
  '체인에서 나간 전송을 최근에 확인하지 못했습니다. 확인될 때까지 아무것도 보내지 않습니다.':
    'Transfers on the chain have not been checked recently. Nothing is sent until they are.',
  '노드 상태 보기': 'Show the nodes',
  '운영자 지갑에서 직접 보낸 전송 {count}건이 환불이었는지 정해야 합니다. 정할 때까지 그 주소에는 보내지 않습니다.':
    'Say of {count} {count:transfer|transfers} sent by hand from an operator wallet whether {count:it was a refund|they were refunds}. Until then nothing is sent to {count:that address|those addresses}.',
  '주소 {count}개가 보류되어 있습니다. 하나씩 열어 보낼지 정하세요.':
    '{count} {count:address is|addresses are} held. Open each one and decide whether to send.',
  '보류 보기': 'Show held',
  '이벤트별 환불 기록': 'Refunds by event',
  '환불한 이벤트가 없습니다.': 'No event was refunded.',
  '시작 (한국)': 'Since',
  '최소 수량에 미치지 못했습니다.': 'The minimum was not reached.',
  '정해진 기한까지 추첨 결과가 나오지 않았습니다.': 'The draw gave no result in time.',
  '추첨에 쓸 공개 난수가 기한까지 나오지 않았습니다.':
    'The public randomness for the draw did not come in time.',
  '운영자가 판매를 중지했습니다.': 'The operator stopped the sale.',
  '티켓 명단이 추첨 시각 전에 고정된 명단과 다릅니다.':
    'The ticket ledger differs from the one anchored before the draw time.',

  '체인 기록으로만 만들어집니다. 주소마다 한 줄이며, 돈은 늘 결제한 주소로 갑니다.':
    'Made from the chain alone. A line for each address, and the money always goes to the paying address.',
  '목록 받기': 'Get list',
  '환불 대상 목록 받기': 'Get the list of refunds',
  '이벤트로 보기': 'Filter by event',
  '모든 이벤트': 'All events',
  '상태로 보기': 'Filter by state',
  '모든 상태': 'All states',
  '소액 ({count}개)': 'Small ({count})',
  '주소로 찾기': 'Search by address',
  '해당하는 환불이 없습니다.': 'No refunds match.',
  '결제한 주소': 'Paid from',
  '환불액 (USDT)': 'Owed (USDT)',
  '남음 (USDT)': 'Left (USDT)',
  예정: 'Due',
  전송됨: 'Sent',
  '초과 지급': 'Paid too much',

  '관리자가 보류했습니다. 해제하면 보냅니다.': 'An administrator holds it. Released, it is sent.',
  컨트랙트: 'contract',
  '결제한 주소가 컨트랙트입니다. 보낸 돈이 구매자에게 닿지 않을 수 있어, 구매자와 확인한 뒤 해제하세요.':
    'The paying address is a contract. The money may not reach the buyer: ask the buyer before you release it.',
  거래소: 'exchange',
  '거래소의 출금 주소로 알려져 있습니다. 이 주소로 보내면 구매자가 아니라 거래소가 받습니다.':
    'Known as the withdrawal address of an exchange. The exchange would get the money, not the buyer.',
  '도난 지갑으로 입금': 'paid to a stolen wallet',
  '도난 신고한 지갑에 그 뒤 들어온 돈입니다. 훔친 사람이 자기 돈을 보내고 돌려받으려는 것일 수 있습니다. 구매자가 확인되면 해제하세요.':
    'This money came to a wallet after it was stolen. The thief may have sent his own to get it back from you. Release it once you know the buyer.',
  소액: 'small',
  '최소 환불액보다 적어 따로 두었습니다. 해제하면 함께 보냅니다.':
    'Less than the smallest refund, so it is set aside. Released, it goes out with the others.',
  '주소 확인 중': 'Checking address',
  '결제한 주소가 컨트랙트인지 체인에 묻고 있습니다.':
    'Asking the chain whether the paying address is a contract.',
  '구분할 전송': 'transfer to judge',
  '운영자 지갑에서 이 주소로 직접 보낸 전송이 있습니다. 아래에서 환불이었는지 정하면 보류가 풀립니다.':
    'An operator wallet sent something to this address by hand. Say below whether it was a refund, and the hold ends.',

  '컨트랙트로 보냄': 'Sent by the contract',
  '직접 보냄': 'Sent by hand',
  '돌려줄 금액보다 많이 받았습니다. 다음 이벤트의 환불에서 그만큼 적게 보냅니다.':
    'This address received more than it is owed. A later refund to it is smaller by that much.',
  '받은 결제': 'Payments received',
  '티켓 {ticketCount}장': '{ticketCount} {ticketCount:ticket|tickets}',
  '티켓 없음': 'No tickets',
  ', 돌려줌 {received}': ', paid back {received}',
  '나간 전송': 'Transfers sent',
  '환불, 컨트랙트': 'Refund, contract',
  '구분을 바꾸지 못했습니다': 'It was not changed',
  '구분을 바꿨습니다': 'It is changed',
  '환불액에 바로 반영되었습니다.': 'The refund follows at once.',
  '아직 정하지 않음': 'Not said yet',
  환불이었음: 'It was a refund',
  '환불이 아니었음': 'It was no refund',
  경품이었음: 'It was a prize',
  '이벤트 {eventNumber} 경품 {place}번': 'Prize {place} of event {eventNumber}',
  '다른 지갑에서 직접 환불했다면': 'Refunded from another wallet?',
  '환불로 세기': 'Count as a refund',
  '관리자의 결정': 'Decisions',
  '감사 기록에 남습니다.': 'Kept in the audit log.',
  보류하기: 'Hold',
  '보류하지 못했습니다': 'It was not held',
  보류했습니다: 'Held',
  '해제할 때까지 보내지 않습니다.': 'Nothing is sent until it is released.',
  '보류 해제': 'Release',
  '보류를 해제하지 못했습니다': 'It was not released',
  '{due} USDT를 결제한 주소로 보냅니다. 보낸 뒤에는 되돌릴 수 없습니다.':
    'Sends {due} USDT to the paying address. Once sent, it cannot be taken back.',
  '보류를 해제했습니다': 'Released',
  '다음 서명에서 함께 보냅니다.': 'It goes out with the next signature.',

  '이벤트 {event}': 'Event {event}',
  '보낼 금액 (USDT)': 'To send (USDT)',
  '남음, 보류 포함 (USDT)': 'Left, held too (USDT)',
  '거래 한 번에 보낼 건수': 'Refunds per call',
  '{count}건': '{count} {count:refund|refunds}',
  '{count}건 지갑에서 승인': 'Approve {count} in the wallet',
  '이어서 {count}건 지갑에서 승인': 'Go on: approve {count} in the wallet',
  '새로 고치거나 다시 승인해도 두 번 지급되지 않습니다.':
    'Nobody is paid twice, even after a reload or a second approval.',
  멈추기: 'Stop',
  '지갑을 연결하지 못했습니다': 'The wallet was not connected',
  '지갑 연결': 'Connect a wallet',
  '{name} 연결': 'Connect {name}',
  'USDT를 가진 지갑이면 어느 것이나 됩니다. 돈은 늘 결제한 주소로 갑니다.':
    'Any wallet that holds USDT will do. The money always goes to the paying addresses.',
  '서명 지갑': 'Signing wallet',
  '다른 지갑으로': 'Use another wallet',
  '잔액 (USDT)': 'Balance (USDT)',
  '잔액 (BNB)': 'Balance (BNB)',
  '네트워크를 바꾸지 못했습니다': 'The network was not changed',
  '네트워크 바꾸기': 'Change network',
  '지갑이 BNB Smart Chain에 있지 않습니다.': 'The wallet is not on BNB Smart Chain.',
  '지갑에서 고른 계정이 바뀌었습니다. 원래 계정으로 돌리거나 다시 연결하세요.':
    'Another account is chosen in the wallet. Go back to the first one, or connect again.',
  '환불 컨트랙트를 올리지 못했습니다': 'The refund contract was not deployed',
  '컨트랙트 올리기': 'Deploy contract',
  '두 번 지급되지 않게 기억하는 환불 컨트랙트가 아직 체인에 없습니다. 누구나 서명 한 번으로 같은 주소에 올릴 수 있습니다.':
    'The refund contract, which remembers payments so that none is made twice, is not on the chain yet. Anyone can deploy it to the same address with one signature.',
  '환불 컨트랙트의 주소에 우리 코드가 없습니다. 지갑이 올바른 노드에 연결되어 있는지 확인하세요.':
    "Our code is not at the refund contract's address. Check that the wallet is connected to a proper node.",
  '지갑의 노드가 답하지 않습니다.': "The wallet's node does not answer.",
  '{count}건, {units} USDT': '{count} {count:refund|refunds}, {units} USDT',
  '{units} USDT': '{units} USDT',
  '거래 {at}': 'Call {at}',
  '금액 허용': 'Allowance',
  '그 뒤 {count}번 더': 'and {count} more after these',
  '체인이 받지 않아 뺐습니다 ({reason}).': 'left out, as the chain does not take it ({reason}).',
  '지갑의 노드에는 이 주소가 {sent} USDT만 보낸 것으로 나와 뺐습니다.':
    "left out: by the wallet's node this address has sent only {sent} USDT.",
  '지갑의 노드가 지난 입금을 알려 주지 않아, 보낸 금액과 대조하지 못했습니다.':
    "The wallet's node does not serve past payments, so the amounts were not compared with them.",
  '서버와 체인에 다시 묻고 있습니다.': 'Asking the server and the chain again.',
  '먼저 보낼 합계만큼만 환불 컨트랙트에 허용합니다. 지갑에서 승인하세요.':
    'First the refund contract may take exactly the total. Approve it in the wallet.',
  '지갑에서 승인하세요. 답이 없어도 체인에서 지급이 보이면 이어집니다.':
    'Approve it in the wallet. Even without an answer it goes on once the chain shows the payment.',
  '보낸 거래가 블록에 들어가기를 기다립니다.': 'Waiting for the block.',
  '보낼 수 있는 환불을 모두 보냈습니다. 확정되면 완료됩니다.':
    'All that can be sent is sent. It is done once it is final.',
  '지갑의 USDT가 보낼 금액보다 적습니다. 채우거나 이벤트를 골라 나누어 보내세요.':
    'The wallet has less USDT than is to be sent. Fill it up, or send event by event.',
  '수수료로 쓸 BNB가 모자랍니다.': 'BNB for the network fee is missing.',
  '지갑에서 허용한 금액이 보낼 금액보다 적습니다.': 'The wallet allowed less than is to be sent.',
  '거래가 체인에서 실패했습니다. 돈은 움직이지 않았습니다.': 'The call failed on the chain. No money moved.',
  '지갑이 오류를 답했습니다 ({reason}).': 'The wallet answered with an error ({reason}).',
  '서명을 시작하지 못했습니다': 'Signing did not begin',
  '멈췄습니다. 이어서 하면 남은 것만 보냅니다.': 'Stopped. Going on sends only what is left.',
  '서버가 이 페이지와 다른 토큰이나 체인을 알려주었습니다. 서명하지 마세요.':
    'The server named another token or chain than this page. Do not sign.',
  '운영자 지갑이 설정되지 않았습니다.': 'No operator wallet is set.',

  'Safe로 지급': 'Pay with a Safe',
  'Safe 주소': 'Address of the Safe',
  '두 번 실행해도 두 번 지급되지 않습니다.': 'Executed twice, it pays nobody twice.',
  'Safe 파일 받기': 'Get the file for the Safe',
  '파일을 만들지 못했습니다': 'The file was not made',
  '파일 {count}개를 받았습니다': '{count} {count:file|files} downloaded',
  '7일 안에 Safe의 Transaction Builder에 올려 승인하세요.':
    "Upload within 7 days to the Safe's Transaction Builder, and approve there.",

  '환불 공지에 실패했습니다': 'The refund notice failed',
  '공지 켜기': 'Show the notice',
  '공지 끄기': 'Hide the notice',
  '모든 방문자 화면에 환불 안내가 바로 열립니다. 언제든 다시 끌 수 있습니다.':
    "The refund notice opens on every visitor's screen at once. It can be hidden at any time.",
  '방문자 화면에서 환불 안내가 닫힙니다. 환불 자체는 그대로 진행됩니다.':
    "The refund notice closes on visitors' screens. The refunds themselves go on.",
  '홈 화면에 반영되었습니다.': 'The home page follows.',
  '홈 화면 환불 공지': 'Refund notice on the home page',
  '모든 방문자 화면에 환불 안내가 열립니다.': "The refund notice opens on every visitor's screen.",
  '환불 모드가 시작되면 켤 수 있습니다.': 'It can be shown once refund mode has started.',
  '키를 도난당한 지갑입니다. 그때부터 들어온 돈은 보류하고, 남은 잔액은 보유 금액으로 세지 않습니다.':
    'A wallet whose key was stolen. Money that came in since then is held, and its balance no longer counts as yours.',
  '도난당한 지갑': 'Stolen wallet',
  '도난 시각 (UTC)': 'Stolen since (UTC)',
  '도난당했을 수 있는 가장 이른 시각': 'The earliest time at which it may have been stolen',
  '도난으로 기록': 'Record as stolen',
  '도난을 기록하지 못했습니다': 'The theft was not recorded',
  '도난을 기록했습니다': 'The theft is recorded',
  '{since} UTC부터입니다.': 'Since {since} UTC.',
  '이 지갑이 판 이벤트가 아직 판매 중이면 판매를 멈추고 모두 환불합니다. 되돌릴 수 없습니다.':
    'If an event of this wallet is still on sale, the sale stops and everything is refunded. This cannot be undone.',
  '지갑 주소가 아닙니다.': 'This is no wallet address.',
} as const
