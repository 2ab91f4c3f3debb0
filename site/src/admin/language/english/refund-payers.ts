export const refundPayers = {
  '환불 지갑을 추가했습니다': 'The refund wallet is added',
  '티켓 대금을 받은 지갑 대신 환불을 보낼 지갑입니다. 보내기 전에 등록해야 이중 지급이 없습니다. 이 지갑으로 들어오는 돈은 결제로 치지 않습니다.':
    'A wallet that sends refunds in place of the one that took the money. It has to be registered before it sends, so that nothing is paid twice. Money sent to it does not count as a payment.',
  '환불 지갑 주소': 'Address of the refund wallet',
  '등록은 공개 변경 기록에 남고, 나중에 운영자 지갑으로 쓸 수 없습니다.':
    'The public list of changes records it, and it can never become the operator wallet.',
  '환불 지갑 주소 복사': "Copy the refund wallet's address",
  '지난 전송을 확인할 수 없어 환불 컨트랙트로만 보낼 수 있습니다.':
    'Its past transfers cannot be checked, so it can send only through the refund contract.',
  '이제 이 지갑에서 환불을 보낼 수 있습니다.': 'It can now send refunds.',
  '지난 전송을 읽고 있습니다. 끝날 때까지 환불을 보내지 않습니다.':
    'Reading its past transfers. It sends no refunds until that is done.',
  '소액을 포함하지 못했습니다': 'Small amounts were not included',
  '소액 모두 포함': 'Include all small amounts',
  '모두 포함': 'Include all',
  '소액 {count}건, {sum} USDT를 다음 서명에서 함께 보냅니다. 네트워크 수수료가 환불액보다 클 수 있습니다.':
    'Sends {count} small {count:amount|amounts}, {sum} USDT, with the next signature. The network fee may exceed the refund.',
  '소액을 포함했습니다': 'Small amounts are included',
  '{count}건을 다음 서명에서 보냅니다.': '{count} {count:refund|refunds} go out with the next signature.',
  '최소 환불액보다 적은 {count}건({sum} USDT)은 따로 두었습니다.':
    '{count} below the smallest refund ({sum} USDT) {count:is|are} set aside.',
  '구분을 바꾸지 못했습니다': "The transfer's kind was not changed",
  '구분을 바꿨습니다': "The transfer's kind is changed",
  '이 전송은 환불액에서 빼지 않습니다.': 'This transfer is not deducted from the refund.',
  '이 전송을 환불액에서 뺍니다.': 'This transfer is deducted from the refund.',
  '환불 아님으로': 'Not a refund',
  '환불에서 빼기': 'Deduct from refund',
  '경품 지급으로 기록했습니다': 'Recorded as a prize payment',
  '공개 기록에 이 거래가 나타납니다.': 'The public record shows this transaction.',
  '이벤트 {eventNumber} 경품 {place}번으로': 'As prize {place} of event {eventNumber}',
  '미지급 경품보다 {rest} USDT 많습니다. 남는 금액은 다른 전송으로 공개되며, 환불로 세지 않습니다.':
    '{rest} USDT more than the unpaid prize. The rest is public as another transfer and does not count as a refund.',
  '경품의 일부입니다. {rest} USDT가 더 남습니다.': 'Part of the prize. {rest} USDT remain.',
  '다른 지갑이 갚을 환불': 'Refunds owed by other wallets',
  '결제를 받은 지갑이 갚습니다. 다른 지갑이 대신 보내려면 먼저 그 지갑이 넘기거나, 그 지갑을 쓸 수 없게 되었다고 알려야 합니다.':
    'The wallet that took a payment repays it. For another wallet to send, that wallet first has to hand over, or be reported as unusable.',
  '지갑을 연결하지 못했습니다': 'The wallet was not connected',
  '넘기지 못했습니다': 'It was not handed over',
  '넘기는 거래를 보냈습니다': 'The hand-over is sent',
  '확정되면 다른 지갑이 대신 보낼 수 있습니다.': 'Once it is final, another wallet can send.',
  '{lostAt}에 쓸 수 없게 되었다고 알린 지갑입니다. 연결한 지갑이 대신 보냅니다.':
    'Reported as unusable on {lostAt}. The connected wallet sends in its place.',
  'Safe입니다. 아래 ‘Safe로 지급’에서 파일을 받아 보냅니다.':
    'This is a Safe. Get its file under “Pay with a Safe” below.',
  '이 지갑 연결': 'Connect this wallet',
  '이 지갑에서 넘기기': 'Hand over from this wallet',
  '키를 잃었습니다': 'Its key is lost',
  '지갑에서 승인': 'Approve in the wallet',
  '이 지갑이 {debtors}명에게 더는 지급하지 않는다고 환불 컨트랙트에 적습니다. 돈은 움직이지 않습니다.':
    'Records in the refund contract that this wallet no longer pays {debtors} {debtors:person|people}. No money moves.',
  '확정되면 다른 지갑이 대신 보낼 수 있습니다. 이 지갑의 컨트랙트 지급으로는 되돌릴 수 없습니다.':
    'Once it is final, another wallet can send. This wallet cannot take it back through the contract.',
  '확인을 위해 {address}를 입력하세요': 'To confirm, enter {address}',
  '쓸 수 없는 지갑으로 기록': 'Record the wallet as unusable',
  기록했습니다: 'Recorded',
  '다른 지갑이 이 지갑의 환불을 대신 보낼 수 있습니다.': "Another wallet can send this wallet's refunds.",
  '이 지갑의 키를 잃었거나 도난당했다는 뜻입니다. 우리 누구도 이 지갑으로 환불을 보내지 않겠다고 약속합니다. 그 뒤 이 지갑에서 나간 환불은 다른 지갑이 보낸 것과 겹쳐 두 번 지급될 수 있습니다. 다른 지갑이 대신 지급하면 되돌릴 수 없고, 감사 기록에 남습니다.':
    "It means that this wallet's key is lost or stolen, and promises that none of us sends refunds from it. A refund leaving this wallet later may be paid twice, beside that of another wallet. Once another wallet has paid, it cannot be undone. The audit log records it.",
  '이전 쪽': 'Previous page',
  '다음 쪽': 'Next page',
  '환불액 (USDT)': 'Refund (USDT)',
  남음: 'Left',
  '결제한 주소의 서명으로 {to}에 보냅니다.': 'Goes to {to}, as signed by the paying address.',
  '지갑의 논스 {nonceBound}까지 확정되어야 결과가 정해집니다.':
    "The outcome is known once the wallet's nonce {nonceBound} is final.",
  '보류 해제 {releasedAt} UTC': 'Released {releasedAt} UTC',
  '받은 결제': 'Payments received',
  '되돌려진 결제입니다.': 'This payment was reverted.',
  '티켓 {ticketCount}장': '{ticketCount} {ticketCount:ticket|tickets}',
  '티켓 없음': 'No tickets',
  ', 받은 지갑': ', received by',
  ', 갚을 지갑': ', repaid by',
  '나간 전송': 'Transfers sent',
  '아직 없습니다.': 'None yet.',
  '{at} UTC, 블록 {blockNumber}, 보낸 지갑': '{at} UTC, block {blockNumber}, sent by',
  '환불 컨트랙트의 기록': 'Records of the refund contract',
  지급: 'paid',
  '갚은 것으로 기록': 'recorded as repaid',
  ', 지갑 {wallet}, 합계 {total}': ', wallet {wallet}, total {total}',
  ', 받은 주소': ', received by',
  '주소 변경': 'Other address',
  환불액: 'Refund',
  '환불 준비에 실패했습니다': 'The refund was not prepared',
  '주소 {totalRefunds}개에 모두 {totalAmount} USDT를 돌려줍니다.':
    'Returns {totalAmount} USDT in all to {totalRefunds} {totalRefunds:address|addresses}.',
  '티켓 {totalTickets}장 전액입니다.': 'That is all {totalTickets} {totalTickets:ticket|tickets}.',
  '받는 주소와 금액은 체인 기록에서만 정해집니다. 아직 아무것도 보내지 않습니다.':
    'Addresses and amounts come from the chain alone. Nothing is sent yet.',
  '환불을 준비했습니다': 'The refund is prepared',
  '지갑을 연결해 서명을 시작하세요.': 'Connect the wallet to start signing.',
  '이 이벤트는 환불 모드가 아닙니다.': 'This event is not in refund mode.',
  '최소 수량에 못 미친 채 추첨 시각이 지나면 자동으로 시작됩니다.':
    'It starts by itself if the draw time passes below the minimum.',
  '환불 모드에서는 티켓 없는 결제도 이벤트 전액에 들어갑니다.':
    'In refund mode, payments without tickets are part of the whole event.',
  '새 결제가 확정되면 여기에 나타납니다.': 'New payments appear here once they are final.',
  '주소 {totalRefunds}개, {totalAmount} USDT':
    '{totalRefunds} {totalRefunds:address|addresses}, {totalAmount} USDT',
  '체인 기록으로 주소마다 한 줄씩 만듭니다. 준비만으로는 아무것도 보내지 않습니다.':
    'Makes a line for each address from the chain. Preparing sends nothing.',
  '추가 준비': 'Prepare the rest',
  '아직 준비되지 않은 환불이 {more}건 있습니다.': '{more} {more:refund is|refunds are} not prepared yet.',
  '쓸 수 없는 주소입니다.': 'This address cannot be used.',
  '받는 주소를 바꿨습니다': 'The receiving address is changed',
  '결제한 지갑의 서명을 확인했습니다.': "The paying wallet's signature is verified.",
  '서명을 확인하지 못했습니다.': 'The signature could not be verified.',
  '다른 주소로 환불': 'Refund to another address',
  '결제한 지갑의 주인이 아래 문장에 서명해야 합니다. 말이나 이메일로는 바꿀 수 없습니다.':
    'The owner of the paying wallet has to sign the message below. Words or e-mails do not change an address.',
  '새로 받을 주소': 'New receiving address',
  '구매자가 서명할 문장': 'Message for the buyer to sign',
  '문장 복사': 'Copy message',
  '서명 도구가 EIP-712를 원하면': 'If the tool wants EIP-712:',
  '형식 데이터 복사': 'Copy typed data',
  '받은 서명': 'Signature received',
  'EIP-191, EIP-712, 컨트랙트 지갑(ERC-1271)의 서명을 받습니다.':
    'Takes signatures by EIP-191, EIP-712 and contract wallets (ERC-1271).',
  '서명 확인 후 변경': 'Verify and change',
  '보류를 해제하지 못했습니다': 'The refund was not released',
  '보류를 해제했습니다': 'The refund is released',
  '다음 서명에서 함께 보냅니다.': 'It goes out with the next signature.',
  '거래를 없음으로 표시하지 못했습니다': 'The transaction was not marked as lost',
  '소액도 보내기': 'Send small amount too',
  '보류 해제': 'Release',
  '거래 없음으로 표시': 'Mark as lost',
  '소액 환불 포함': 'Include a small refund',
  포함: 'Include',
  '{to}에 {amount} USDT를 보냅니다. 네트워크 수수료가 환불액보다 클 수 있습니다.':
    'Sends {amount} USDT to {to}. The network fee may exceed the refund.',
  '받는 주소의 마지막 4자리': 'Last 4 characters of the receiving address',
  '결제한 주소 그대로 {amount} USDT를 보냅니다. 보낸 뒤에는 되돌릴 수 없습니다.':
    'Sends {amount} USDT to the paying address as it is. Once sent, it cannot be taken back.',
  '제한된 지갑': 'Limited wallets',
  '{since}에 쓸 수 없게 되었다고 알린 지갑입니다. 이 지갑으로는 보내지 않습니다.':
    'Reported as unusable on {since}. It sends nothing.',
  '키를 되찾았습니다': 'The key is back',
  '다시 쓸 수 있는 지갑으로 기록': 'Record the wallet as usable again',
  '이 지갑이 갚을 환불은 다시 이 지갑이 보냅니다.': 'This wallet sends the refunds it owes again.',
  '잃었다는 기록을 취소합니다. 다른 지갑이 이 지갑의 환불을 아직 지급하지 않았고 지갑에 넘기지도 않았을 때만 됩니다. 키를 도난당했다면 취소하지 마세요.':
    'Withdraws the report of a lost key. It works only while no other wallet has paid its refunds or been handed any. Do not withdraw it if the key was stolen.',
  '백업에서 되살린 데이터베이스라 이 지갑에 넘긴 호출을 모두 알지 못합니다. {until}까지 환불 컨트랙트로만 보낼 수 있고, 다른 지갑이 대신 보내거나 받는 주소를 바꿀 수 없습니다.':
    'The database was restored from a backup and does not know every call handed to this wallet. Until {until} it can send only through the refund contract; no other wallet can send in its place, and no receiving address can change.',
  '넘긴 호출이 없습니다': 'No call was handed over',
  '모르는 호출이 없다고 기록': 'Record that no unknown call exists',
  '이 지갑의 제한이 풀렸습니다.': 'This wallet is no longer limited.',
  '백업을 만든 뒤에 이 지갑에서 승인한 환불도, 받아 둔 Safe 파일도 없다는 뜻입니다. 하나라도 남아 있으면 같은 환불이 두 번 지급될 수 있습니다. 확실하지 않으면 그때까지 기다리세요. 되돌릴 수 없고 감사 기록에 남습니다.':
    'It means that no refund was approved from this wallet after the backup was made, and no Safe file was taken. If one exists, the same refund may be paid twice. If you are not sure, wait until then. It cannot be undone, and the audit log records it.',
  '기록하지 못했습니다': 'It was not recorded',
  '무슨 일이 있었는지': 'What happened',
  '감사 기록에 그대로 남습니다.': 'The audit log keeps it as written.',
} as const
