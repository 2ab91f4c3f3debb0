export const draw = {
  '앵커 거래를 보냈습니다': 'The anchor transaction was sent',
  '블록이 확정되면 여기에 나타납니다.': 'It appears here once its block is final.',
  '이벤트의 약속은 판매 중에, 약속과 확정된 명단은 추첨 전에 그 지문을 체인에 남깁니다. 나중에 바뀌지 않았음을 누구나 확인할 수 있습니다.':
    "Leaves the fingerprint of the event's promises on the chain during the sale, and that of promises and final ledger before the draw. Anyone can check that nothing changed later.",
  '약속의 지문 (SHA-256)': 'Fingerprint of promises (SHA-256)',
  '이벤트의 지갑이 다른 지문도 기록했습니다. 검증하는 사람에게 보입니다.':
    'A wallet of the event has anchored another fingerprint too. Whoever checks the draw sees it.',
  '운영자 지갑으로 서명합니다. 돈은 움직이지 않습니다.': 'Signed by the operator wallet. No money moves.',
  '다른 곳에서 보내기': 'Send it from elsewhere',
  '운영자 지갑이나 Safe에서 {address}(으)로 아래 데이터를 보내세요.':
    'Send the data below to {address} from the operator wallet or the Safe.',
  'ANCHOR_KEY를 설정하면 서버가 스스로 고정합니다.': 'With ANCHOR_KEY set, the server anchors by itself.',
  '앵커 거래를 보내지 못했습니다': 'The anchor transaction was not sent',
  '서버가 이 페이지와 다른 토큰이나 지갑을 알려주었습니다.':
    'The server named another token or wallet than this page.',
  '기록 컨트랙트가 이 체인에 없거나 다른 코드입니다. 환불 화면에서 먼저 만들 수 있습니다.':
    'The register contract is not on this chain, or has other code. You can deploy it under Refunds.',
  '약속과 명단의 지문 (SHA-256)': 'Fingerprint of promises and ledger (SHA-256)',
  '지문 복사': 'Copy fingerprint',
  고정됨: 'Anchored',
  '지갑으로 지문 고정': 'Anchor with the wallet',
  '데이터 복사': 'Copy data',
  '기록 컨트랙트의 주소에 다른 코드가 있어 고정할 수 없습니다.':
    "There is other code at the register contract's address, so nothing can be anchored.",
  '{at} (한국)': '{at}',
  '서버의 고정 지갑 (ANCHOR_KEY)': "The server's anchoring wallet (ANCHOR_KEY)",
  '잔액 {balance} BNB · 약 {anchorsLeft}번 고정할 수 있습니다.':
    'Balance {balance} BNB · enough for about {anchorsLeft} {anchorsLeft:anchor|anchors}.',
  '수수료로 쓸 BNB가 부족합니다. 위 주소로 BNB를 조금 보내세요.':
    'There is too little BNB for network fees. Send a little BNB to the address above.',
  '공개 전': 'Not public yet',
  확인됨: 'Verified',
  '블록 다섯 개의 해시와, 그 뒤에 공개되는 drand 회차를 섞습니다. 블록 시드가 먼저 공개됩니다.':
    'Mixes the hashes of five blocks with a round of drand that is published later. The block seed is public first.',
  '블록 시드 (SHA-256)': 'Block seed (SHA-256)',
  '블록 시드 복사': 'Copy block seed',
  '추첨 블록이 확정되면 여기에 나타납니다.': "It appears here when the draw's blocks are final.",
  'drand 회차': 'drand round',
  '수령 코드를 확인하지 못했습니다': 'The claim code could not be checked',
  '당첨자는 결제한 지갑으로 서명하고 코드를 받아 배송 양식에 적습니다. 그 코드가 진짜인지 확인합니다.':
    'A winner signs with the paying wallet and puts the code into the delivery form. This checks whether the code is genuine.',
  '이벤트 번호를 확인해주세요': 'Check the event number',
  '수령 코드를 입력해주세요': 'Enter the claim code',
  '이벤트 번호': 'Event number',
  '수령 코드': 'Claim code',
  '{winners}명 중 당첨자 {place}의 코드입니다': 'The code of winner {place} of {winners}',
  '당첨자의 코드입니다': "The winner's code",
  '당첨자의 코드가 아닙니다': "Not the winner's code",
  '확인을 위해 이벤트 번호를 입력하세요: {eventNumber}': 'To confirm, enter the event number: {eventNumber}',
  '블록체인 추첨에 실패했습니다': 'The draw failed',
  '모든 방문자 화면에서 10초 동안 추첨이 진행되고 당첨자가 발표됩니다. 이벤트마다 한 번뿐이며 다시 추첨할 수 없습니다.':
    "The draw runs for 10 seconds on every visitor's screen, then the winner is announced. It happens once per event and cannot be repeated.",
  '추첨을 시작했습니다. 10초 뒤에 당첨자가 발표됩니다.':
    'The draw has started. The winner is announced in 10 seconds.',
  '당첨자 초기화에 실패했습니다': 'The winner was not cleared',
  '발표 지우기': 'Clear',
  '공개 페이지에서 당첨자가 사라집니다. 추첨 기록은 지워지지 않으며, 다시 추첨하면 같은 당첨자가 발표됩니다. 지운 사실은 공개 변경 기록에 남습니다.':
    'The winner disappears from the public page. The record of the draw stays, and another draw announces the same winner. The public list of changes says that it was cleared.',
  '당첨자 발표를 지웠습니다.': 'The announced winner is cleared.',
  '당첨자를 뽑아 발표합니다. 한 번뿐이며 되돌릴 수 없습니다.':
    'Draws the winner and announces it. It happens once and cannot be undone.',
  '이 이벤트의 당첨자가 이미 발표되어 있습니다.': 'The winner of this event is already announced.',
  '위 조건이 모두 충족되면 누를 수 있습니다. 한 번뿐이며 되돌릴 수 없습니다.':
    'Works once all conditions above are met. It happens once and cannot be undone.',
  '홈 화면에서 당첨자 발표를 내립니다. 다시 추첨하면 같은 당첨자가 나옵니다.':
    'Takes the winner off the home page. Another draw gives the same winner.',
  '추첨 조건': 'Conditions of the draw',
  '모두 충족되면 추첨할 수 있습니다. 추첨 블록은 추첨 시각으로 정해지므로, 언제 눌러도 결과는 같습니다.':
    'The draw can start when all are met. The draw time decides the blocks, so the result is the same whenever you start it.',
  '추첨 기록과 명단:': 'Records and ledger of the draw:',
  '공개 변경 기록': 'Public list of changes',
  '티켓 명단 파일': 'Ticket ledger file',
  순위: 'Rank',
  당첨: 'Winner',
  '결제 거래': 'Payment',
  '예비 {count}명': '{count} {count:reserve|reserves}',
  '이벤트 {eventNumber} 예비': 'Reserves of event {eventNumber}',
  '이벤트 {eventNumber} 당첨자': 'Winner of event {eventNumber}',
  '공개 페이지에 발표되어 있습니다.': 'Announced on the public page.',
  '당첨 지갑 복사': "Copy the winner's wallet",
  '발표 시각 (한국)': 'Announced',
  '최소 티켓 수': 'Minimum tickets',
  '{sold}장 판매, 최소 {minTicketsForDraw}장': '{sold} sold, minimum {minTicketsForDraw}',
  '판매 종료와 명단 확정': 'Sale ended, ledger final',
  '지문 {ledgerSha256}…': 'Fingerprint {ledgerSha256}…',
  '마지막 블록의 확정을 기다립니다.': 'Waiting until the last block is final.',
  '판매 종료 {saleEndDate} (한국)': 'The sale ends {saleEndDate}',
  '추첨 일시가 없어 판매가 끝나지 않습니다.': 'Without a draw date the sale does not end.',
  '명단 지문 고정 (앵커)': 'Ledger fingerprint anchored',
  '거래 {anchorHash}…': 'Transaction {anchorHash}…',
  '추첨 시각 전에 고정되지 않았습니다. 추첨은 할 수 있습니다.':
    'It was not anchored before the draw time. The draw can run all the same.',
  '선택 사항입니다. 추첨 시각 전에 체인에 남기면 누구나 확인할 수 있습니다.':
    'Optional. On the chain before the draw time, anyone can check it.',
  '추첨 시각': 'Draw time',
  '설정되지 않았습니다.': 'Not set.',
  '판매 중지 없음': 'Sales not stopped',
  '명단이 다시 만들어졌습니다. 판매는 재개를 기다리지만 추첨은 기다리지 않습니다.':
    'The ledger was made again. Sales wait to be resumed; the draw does not wait.',
  '정상입니다.': 'All is well.',
  '환불 모드 아님': 'Not in refund mode',
  '이 이벤트는 환불 중입니다.': 'This event is being refunded.',
  '발표된 당첨자 없음': 'No winner announced',
  '당첨자가 발표되어 있습니다.': 'A winner is announced.',
  '지금 추첨 중입니다.': 'The draw is running now.',
  '없습니다.': 'None.',
  '서버 확인': 'Server check',
  '추첨할 수 있습니다.': 'The draw can start.',
  '아직 추첨할 수 없습니다.': 'The draw cannot start yet.',
  '회차의 서명을 받아 확인했습니다.': "The round's signature has arrived and is verified.",
  '회차의 서명을 기다립니다. 7일 뒤에도 이 회차만 나오지 않으면 전액 환불로 바뀝니다.':
    "Waiting for the round's signature. If 7 days later this round alone is missing, everything is refunded.",
  '{beaconDueAt} UTC에 공개됩니다. 그 전에는 아무도 알 수 없습니다.':
    'It is published at {beaconDueAt} UTC. Nobody can know it before.',
  '추첨 일시를 정하면 회차가 정해집니다.': 'The draw date decides the round.',
  '고정할 것 있음': 'To be anchored',
  '고정되지 않음': 'Not anchored',
  '{all}개 중 {met}개 충족': '{met} of {all} met',
  '다음: {name}': 'Next: {name}.',
  '모든 조건 보기': 'All conditions',
  조건: 'Condition',
} as const
