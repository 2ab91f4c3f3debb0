export const refund = {
  '환불 기록': 'Refund records',
  '준비한 묶음마다 한 줄입니다. 지난 이벤트의 묶음도 여기서 엽니다.':
    'A line for each batch prepared. Open batches of earlier events here as well.',
  '아직 준비된 환불이 없습니다.': 'No refund is prepared yet.',
  대상: 'Scope',
  '이벤트 {eventNumber} 전액': 'Event {eventNumber}, all',
  '이벤트 {eventNumber} 티켓 없는 결제': 'Event {eventNumber}, payments without tickets',
  '준비 시각 (한국)': 'Prepared',
  열기: 'Open',
  '상태로 보기': 'Filter by state',
  '주소나 거래로 찾기': 'Search by address or transaction',
  '해당하는 환불이 없습니다.': 'No refunds match.',
  '결제한 주소': 'Paid from',
  '{payers}명, {amount} USDT': '{payers} {payers:person|people}, {amount} USDT',
  '환불 대상 쪽': 'Pages of refunds',
  '환불이 일시 중지되어 있습니다. 운영 설정(REFUNDS_PAUSED)을 확인하세요.':
    'Refunds are paused. Check REFUNDS_PAUSED on the server.',
  '체인에서 나간 전송을 최근에 확인하지 못했습니다. 확인될 때까지 아무것도 보내지 않습니다.':
    'Transfers on the chain have not been checked recently. Nothing is sent until they are.',
  '체인 기록으로만 만들어집니다. 이벤트의 모든 묶음에서 주소마다 한 줄이며 두 번 환불되지 않습니다.':
    'Made from the chain alone. A line for each address across all batches of the event, and none is refunded twice.',
  '환불 모드입니다.': 'Refund mode.',
  '{cause} 결제한 주소로 전액 환불합니다.': '{cause} Everything is refunded to the paying addresses.',
  '최소 수량을 달성했습니다.': 'The minimum was reached.',
  '이 이벤트는 전액 환불 대상이 아닙니다. 티켓 없는 결제는 따로 환불할 수 있습니다.':
    'This event is not refunded as a whole. Payments without tickets can be refunded separately.',
  '아직 환불 모드가 아닙니다.': 'Not in refund mode yet.',
  '마지막 블록이 확정되면 자동으로 시작됩니다.': 'It starts by itself when the last block is final.',
  '{drawDate} (한국)까지 최소 수량에 못 미치면 자동으로 시작됩니다.':
    'It starts by itself if the minimum is not reached by {drawDate}.',
  '추첨 일시를 정하면, 그때까지 최소 수량에 못 미칠 경우 자동으로 시작됩니다.':
    'Once a draw date is set, it starts by itself if the minimum is not reached by then.',
  '정해진 기한까지 추첨 결과가 나오지 않았습니다.': 'The draw gave no result in time.',
  '추첨에 쓸 공개 난수가 기한까지 나오지 않았습니다.':
    'The public randomness for the draw did not come in time.',
  '운영자가 판매를 중지했습니다.': 'The operator stopped the sale.',
  '티켓 명단이 추첨 시각 전에 고정된 명단과 다릅니다.':
    'The ticket ledger differs from the one anchored before the draw time.',
  '{minimum}장 중 {sold}장만 판매되었습니다.': 'Only {sold} of {minimum} tickets were sold.',
  '환불 공지에 실패했습니다': 'The refund notice failed',
  '환불 공지 켜기': 'Show the refund notice',
  '환불 공지 끄기': 'Hide the refund notice',
  '공지 켜기': 'Show',
  '공지 끄기': 'Hide',
  '모든 방문자 화면에 환불 안내가 바로 열립니다. 언제든 다시 끌 수 있습니다.':
    "The refund notice opens on every visitor's screen at once. It can be hidden at any time.",
  '방문자 화면에서 환불 안내가 닫힙니다. 환불 자체는 그대로 진행됩니다.':
    "The refund notice closes on visitors' screens. The refunds themselves go on.",
  '환불 공지를 켰습니다': 'The refund notice is shown',
  '환불 공지를 껐습니다': 'The refund notice is hidden',
  '홈 화면에 반영되었습니다.': 'The home page follows.',
  '홈 화면 환불 공지': 'Refund notice on the home page',
  '모든 방문자 화면에 환불 안내가 열립니다.': "The refund notice opens on every visitor's screen.",
  '환불 모드가 시작되면 켤 수 있습니다.': 'It can be shown once refund mode has started.',
  '대상 목록': 'refund list',
  장부: 'books',
  '환불 종류': 'Kind of refund',
  '환불 {label} 내보내기에 실패했습니다': 'The {label} export failed',
  '{label} 받기': 'Get {label}',
  '환불 {label} 받기': 'Get the refunds: {label}',
  '주소 {totalRefunds}개': '{totalRefunds} {totalRefunds:address|addresses}',
  '체인 기록으로 만듭니다': 'Made from the chain',
  '홈 화면에 나타납니다': 'Shown on the home page',
  '선택, 맨 아래에서 켭니다': 'Optional, at the very bottom',
  '모두 보냈습니다': 'All are sent',
  '{toSign}건 남음': '{toSign} left',
  '준비한 뒤에': 'After preparing',
  '체인에서 확인': 'Checked on the chain',
  '확정 {done} / {all}{held}': 'Final {done} / {all}{held}',
  ', 보류 {held}': ', held {held}',
  '확정된 뒤에만 완료': 'Done only when final',
  '환불 순서': 'Steps of the refund',
  확정: 'Final',
  '{count}개': '{count}',
  '환불 진행': 'Progress of refunds',
  '환불 합계': 'Refund totals',
  '환불 총액 (USDT)': 'All refunds (USDT)',
  '주소 {count}개': '{count} {count:address|addresses}',
  '환불인지 모르는 전송': 'Transfers that may be refunds',
  '운영자 지갑에서 결제한 주소로 나갔지만 어느 환불과도 맞지 않는 전송입니다. 환불이 아니라고 하기 전까지 그 주소의 환불액에서 뺍니다.':
    'Transfers from the operator wallet to paying addresses that match no refund. Until you say that one is not a refund, it is deducted from what that address gets.',
  '환불 아님': 'Not a refund',
  '환불에서 뺌': 'Deducted',
  바꾸기: 'Change',
  '환불인지 모르는 전송 쪽': 'Pages of transfers that may be refunds',
  '환불 상태를 불러오지 못했습니다.': 'The state of the refunds could not be loaded.',
  '없음으로 표시': 'Mark as lost',
  '{count}건이 앞으로도 블록에 들어가지 않을 때만 하세요. 지갑과 휴대전화에 열린 요청이 없는지, 지갑의 기록에 보낸 거래가 없는지 먼저 확인하세요. 논스가 확정되고 체인을 다시 읽은 뒤에 이 환불을 다시 보냅니다.':
    "Do this only if {count} {count:transaction|transactions} will never get into a block. First check for open requests in the wallet and on the phone, and for sent transactions in the wallet's history. The refund is sent again after the nonces are final and the chain has been read again.",
  '모두 환불했고 체인에서 확정되었습니다. 더 할 일이 없습니다.':
    'Everything is refunded and final on the chain. There is nothing left to do.',
  '환불이 일시 중지되어, 다시 켤 때까지 아무것도 보내지 않습니다.':
    'Refunds are paused. Nothing is sent until they are switched on again.',
  '체인 기록을 다시 확인하는 대로 이어집니다. 그때까지 아무것도 보내지 않습니다.':
    'It goes on when the chain has been checked again. Nothing is sent until then.',
  '지갑에서 {asked}건을 승인하세요.': 'Approve {asked} {asked:refund|refunds} in the wallet.',
  '보낸 {sum}가 체인에서 확정되면 남은 {sum2}를 승인하세요.':
    'Once the {sum} sent are final on the chain, approve the {sum2} left.',
  '보낸 {sum}가 체인에서 확정되기를 기다립니다.': 'Waiting until the {sum} sent are final on the chain.',
  '장부와 다른 {ahead}건을 먼저 확인하세요. 까닭을 알기 전에는 보내지 않습니다.':
    'First look at {ahead} that {ahead:differs|differ} from the books. Nothing is sent until the reason is known.',
  '주소 {unchecked}개를 체인에서 확인하면 승인할 수 있습니다.':
    '{unchecked} {unchecked:address has|addresses have} to be checked on the chain before you approve.',
  '남은 {sum}를 지갑에서 승인하세요.': 'In the wallet, approve what is left: {sum}.',
  '이미 돈이 나간 {covered}건을 ‘환불인지 모르는 전송’에서 구분하세요. 그래야 끝납니다.':
    'Money already went out for {covered}. Say what it was under “Transfers that may be refunds”, then it can end.',
  '보류한 {sum}만 남았습니다. 하나씩 열어 보낼지 정하세요.':
    'Only the {sum} held remain. Open each one and decide whether to send it.',
  '{count}건, {centsOf} USDT': '{count} {count:refund|refunds}, {centsOf} USDT',
  '보류, 컨트랙트': 'Held, contract',
  '결제한 주소가 컨트랙트입니다. 돈을 돌려받지 못할 수 있어, 보류를 해제하거나 서명으로 주소를 바꿔야 보냅니다.':
    'The paying address is a contract, from which the money may not come back. Release it, or have the address changed by signature.',
  '보류, 거래소': 'Held, exchange',
  '거래소의 출금 주소로 알려져 있습니다. 이 주소로 보내면 거래소가 받으므로, 구매자에게 닿지 않을 수 있습니다.':
    'Known as the withdrawal address of an exchange. The exchange would receive the money, and it may not reach the buyer.',
  '보류, 잃은 지갑으로 송금': 'Held, sent to a lost wallet',
  '키를 잃었다고 알린 뒤에 그 지갑으로 들어온 돈입니다. 키를 훔친 사람이 자기 돈을 보내고 다른 지갑에서 돌려받으려는 것일 수 있습니다. 구매자가 확인된 뒤에만 보류를 해제하세요.':
    'This money came to that wallet after you said that its key is lost. The thief may have sent his own to get it back from another wallet. Release it only once you know the buyer.',
  '보류, 판매 전 송금': 'Held, before the sale',
  '판매가 시작되기 전에 들어온 돈이라 래플과 무관할 수 있습니다. 날짜를 확인한 뒤, 돌려줄 돈이면 보류를 해제하세요.':
    'The money came in before the sale began and may have nothing to do with the raffle. Check the date, and release it if it has to go back.',
  '보류, 소액': 'Held, small',
  '최소 환불액보다 적어 따로 두었습니다. 보류를 해제하면 함께 보냅니다.':
    'Less than the smallest refund, so it is set aside. Released, it goes out with the others.',
  '장부보다 앞섬': 'Ahead of the books',
  '컨트랙트가 이 장부보다 더 많은 지급을 기억합니다. 체인 기록을 다 읽을 때까지 기다리세요. 그래도 남으면 데이터베이스를 옛 백업에서 되살렸는지 확인하고, 운영 안내서를 따르세요. 도난당한 지갑이 보낸 것이면 그 지갑의 키를 잃었다고 알리세요. 그때까지 보내지 않습니다.':
    'The contract remembers more payments than these books. Wait until the whole chain is read. If it stays, check whether the database was restored from an old backup, and follow the runbook. If a stolen wallet sent it, report its key as lost. Nothing is sent until then.',
  '다른 주소로 지급됨': 'Paid to another address',
  '컨트랙트가 이 구매자 몫을 그가 지정하지 않은 주소로 지급했습니다. 구매자는 받지 못했고, 이 지갑은 컨트랙트로 다시 지급할 수 없습니다. 데이터베이스를 백업에서 되살렸다면 구매자가 그 뒤에 지정한 주소인지 먼저 확인하세요. 아니면 지갑의 키가 도난당했는지 확인하고, 다른 지갑이나 일반 전송으로 보내세요.':
    "The contract paid this buyer's share to an address the buyer did not name. The buyer got nothing, and this wallet cannot pay again through the contract. If the database was restored from a backup, first check whether the buyer named that address later. If not, check whether the wallet's key was stolen, and pay from another wallet or by a plain transfer.",
  '결과 확인 중': 'Checking outcome',
  '환불 컨트랙트로 넘겼지만 답을 받지 못했습니다. 다시 승인해도 두 번 지급되지 않습니다. 직접 지급하지는 마세요.':
    'Handed to the refund contract, without an answer. Approving again never pays twice. Do not pay by hand.',
  '이 주소로 보낸 다른 전송이 환불액과 같아 완료되었습니다.':
    'Done: another transfer to this address equals the refund.',
  '체인에서 확정되었습니다.': 'Final on the chain.',
  전송됨: 'Sent',
  '거래를 보냈습니다. 블록이 확정되면 완료됩니다.':
    'The transaction is sent. It is done when the block is final.',
  '지갑에서 승인하세요.': 'Approve it in the wallet.',
  '지갑에 넘겼지만 답을 받지 못했습니다. 체인에서 결과가 확인될 때까지 다시 보내지 않습니다.':
    'Handed to the wallet, without an answer. It is not sent again until the chain shows what happened.',
  '보낸 거래가 취소되거나 다른 거래로 바뀌어 지급되지 않았습니다. 다음 서명에서 다시 보냅니다.':
    'The transaction was cancelled or replaced and paid nothing. It goes out with the next signature.',
  '주소 확인 중': 'Checking address',
  '결제한 주소가 컨트랙트인지 체인에 묻고 있습니다.':
    'Asking the chain whether the paying address is a contract.',
  '확인 필요': 'To check',
  '이 주소로 환불액보다 많은 돈이 이미 나갔습니다. 아래 ‘환불인지 모르는 전송’에서 구분하세요.':
    'More than the refund has already gone to this address. Say what it was under “Transfers that may be refunds” below.',
  예정: 'Planned',
  '다음 서명에서 보냅니다.': 'Goes out with the next signature.',
  '이벤트 전액': 'Whole event',
  '환불, 컨트랙트': 'Refund, contract',
} as const
