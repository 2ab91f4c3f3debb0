export const signing = {
  '네트워크를 바꾸지 못했습니다': 'The network was not changed',
  '허용액을 회수하지 못했습니다': 'The allowance was not revoked',
  '환불 컨트랙트를 올리지 못했습니다': 'The refund contract was not deployed',
  '지갑에서 고른 계정이 운영자 지갑이 아닙니다. 지갑에서 계정을 바꾸세요.':
    'The account chosen in the wallet is not the operator wallet. Change the account in the wallet.',
  '네트워크 바꾸기': 'Change network',
  '지갑이 BNB Smart Chain에 있지 않습니다.': 'The wallet is not on BNB Smart Chain.',
  'USDT가 {needed} 모자랍니다. 운영자 지갑에 채운 뒤 이어서 하세요.':
    '{needed} USDT are missing. Fill up the operator wallet, then go on.',
  '수수료로 쓸 BNB가 {needed} 모자랍니다.': '{needed} BNB for network fees are missing.',
  '컨트랙트 올리기': 'Deploy contract',
  '두 번 지급되지 않게 기억하는 환불 컨트랙트가 아직 체인에 없습니다. 누구나 서명 한 번으로 같은 주소에 올릴 수 있고, 올린 뒤 코드를 비교합니다.':
    'The refund contract, which remembers payments so that none is made twice, is not on the chain yet. Anyone can deploy it to the same address with one signature; its code is compared afterwards.',
  '환불 컨트랙트의 주소에 우리 코드가 아닌 코드가 있습니다. 컨트랙트로 보내지 않습니다. 지갑이 BNB Smart Chain의 올바른 노드에 연결되어 있는지 확인하세요.':
    "There is code at the refund contract's address that is not ours. Nothing is sent through it. Check that the wallet is connected to a proper node of BNB Smart Chain.",
  '환불 컨트랙트가 없고, 올리는 데 쓰는 배포 컨트랙트도 이 체인에 없습니다. 컨트랙트 없이 보냅니다.':
    'There is no refund contract, and this chain lacks the contract that deploys it. Refunds go out without it.',
  '허용액 회수': 'Revoke allowance',
  '환불 컨트랙트에 {allowance} USDT의 허용액이 남아 있습니다. 다음 서명에서 보낼 금액으로 바꾸거나 0으로 되돌립니다.':
    'The refund contract still has an allowance of {allowance} USDT. The next signature sets it to the amount to send; or set it back to 0.',
  '{count}건 다시 승인': 'Approve {count} again',
  '{end}까지 직접 지급하지 마세요.': 'Do not pay by hand until {end}.',
  '환불 컨트랙트로 넘긴 {count}건이 그때까지 체인에 오를 수 있습니다.':
    'Until then, {count} {count:refund|refunds} handed to the refund contract may still reach the chain.',
  '환불 컨트랙트로 넘긴 {count}건을 확인하고 있습니다.':
    'Checking {count} {count:refund|refunds} handed to the refund contract.',
  '유효 시각이 지났고, 그 뒤의 블록이 확정되면 결과가 가려집니다. 그때까지 직접 지급하지 마세요.':
    'Their time is up; once a later block is final, the outcome is known. Do not pay by hand until then.',
  '답을 받지 못한 것은 바로 다시 승인해도 됩니다. 이미 받은 사람에게는 다시 지급되지 않습니다.':
    'What got no answer may be approved again at once. Whoever was paid is not paid again.',
  '환불 컨트랙트가 아직 체인에 없습니다. 서명 한 번으로 올릴 수 있습니다.':
    'The refund contract is not on the chain yet. One signature deploys it.',
  '이 체인에는 컨트랙트를 올리는 배포 컨트랙트가 없어 쓸 수 없습니다.':
    'This chain lacks the contract that deploys it, so it cannot be used.',
  '컨트랙트 주소에 다른 코드가 있습니다. 쓰지 않습니다.':
    "There is other code at the contract's address. It is not used.",
  '이 지갑이 예전에 보낸 내역을 다 읽을 수 없어 환불 컨트랙트로만 보냅니다.':
    "This wallet's past transfers cannot all be read, so it sends only through the refund contract.",
  '환불 컨트랙트': 'Refund contract',
  '컨트랙트가 지급을 기억하므로 늦게 승인하거나 다시 승인해도 두 번 지급되지 않습니다. {payeesPerCall}명까지 한 거래로 보냅니다.':
    'The contract remembers payments, so a late or repeated approval never pays twice. Sends to up to {payeesPerCall} people in one transaction.',
  '컨트랙트를 아직 확인하지 못했습니다.': 'The contract is not checked yet.',
  '지갑 묶음': 'Wallet batches',
  '지갑이 열 건씩 한 번에 승인합니다(EIP-5792). 한 묶음은 모두 보내지거나 하나도 보내지지 않습니다.':
    'The wallet approves ten at a time (EIP-5792). A batch is sent as a whole or not at all.',
  '이 지갑은 묶음 승인을 지원하지 않습니다.': 'This wallet does not support batches.',
  '한 건씩': 'One by one',
  '주소마다 한 번 승인합니다. 어떤 지갑에서나 됩니다.':
    'One approval for each address. Works with any wallet.',
  '서명 방법 {name}, {signatures}회':
    'Way of signing: {name}, {signatures} {signatures:signature|signatures}',
  '서명 방법': 'Way of signing',
  '{signatures}회': '{signatures} {signatures:signature|signatures}',
  '거래를 알리지 못했습니다.': 'The transaction could not be reported.',
  '지갑 기록에 있는 거래 해시': "Transaction hash in the wallet's history",
  '없어도 체인에서 스스로 확인됩니다.': 'Not needed: the chain shows it in time.',
  '거래 알리기': 'Report transaction',
  '보냄 {sent}, 서명': 'Sent {sent}, signatures',
  '한 묶음으로 승인합니다.': 'Approved as one batch.',
  '먼저 보낼 합계를 환불 컨트랙트에 허용합니다.': 'First the refund contract gets an allowance of the total.',
  '환불 컨트랙트가 한 거래로 보냅니다.': 'The refund contract sends them in one transaction.',
  '{count}건,': '{count} {count:refund|refunds},',
  '다음 요청을 준비하고 있습니다.': 'Preparing the next request.',
  '지갑에서 {count}건을 승인하세요. 주소와 금액이 아래와 같은지 확인하세요.':
    'Approve {count} {count:refund|refunds} in the wallet. Check that addresses and amounts are those below.',
  '보낸 거래가 확정되기를 기다립니다. 결과를 모르는 항목은 다시 보내지 않습니다.':
    'Waiting until what was sent is final. Items without a known outcome are not sent again.',
  '일시 중지했습니다. 이어서 하면 남은 것만 보냅니다.': 'Paused. Going on sends only what is left.',
  '보낼 수 있는 환불을 모두 보냈고, 체인에서 확정되었습니다.':
    'Every refund that can be sent is sent, and final on the chain.',
  '지갑의 답을 받지 못했습니다. 환불 컨트랙트가 지급을 기억하므로, 바로 다시 승인해도 두 번 지급되지 않습니다.':
    'The wallet gave no answer. The refund contract remembers payments, so you can approve again at once and nobody is paid twice.',
  '지갑에서 거절했습니다. 아무것도 보내지 않았으므로 바로 다시 승인할 수 있습니다.':
    'The wallet declined. Nothing was sent, so you can approve again at once.',
  '지갑의 답을 받지 못했습니다. 이미 보냈을 수 있으므로 그 항목은 체인에서 확인될 때까지 다시 보내지 않습니다. 나머지는 이어서 승인할 수 있습니다.':
    'The wallet gave no answer. It may have sent, so these items are not sent again until the chain shows what happened. You can go on with the others.',
  '허용이 체인에 오르지 않았거나 금액이 보낼 금액보다 적습니다. 아무것도 보내지 않았습니다. 다시 승인하세요.':
    'The allowance did not reach the chain or is less than the amount to send. Nothing was sent. Approve again.',
  '남은 환불은 지금 이 지갑으로 보낼 수 없습니다. 다른 지갑이 갚을 것이거나, 같은 사람의 다른 환불이 진행 중이거나, 체인이 받아들이지 않는 주소입니다.':
    'This wallet cannot send the remaining refunds now. Another wallet owes them, another refund of the same person is under way, or the chain does not accept the address.',
  '환불 컨트랙트를 지금 확인할 수 없어 멈췄습니다. 지갑의 네트워크를 확인하고 이어서 하거나, 서명 방법에서 다른 방법을 보고 다시 승인하세요.':
    "It stopped because the refund contract cannot be checked now. Check the wallet's network and go on, or look at the other ways of signing and approve again.",
  '진행 중인 거래가 오랫동안 확정되지 않았습니다. 지갑에 멈춘 거래가 있는지, 다른 관리자가 서명하고 있는지 확인하세요.':
    'Transactions under way have not become final for a long time. Check for a stuck transaction in the wallet, or for another administrator who is signing.',
  '서명이 멈췄습니다. 이어서 하면 남은 것만 보냅니다.':
    'Signing has stopped. Going on sends only what is left.',
  'Safe로 지급': 'Pay with a Safe',
  'Safe 지갑은 여기에 연결할 수 없습니다. 파일을 받아 Safe의 Transaction Builder에 올리고 소유자들이 승인하면, 결과는 체인 기록으로 확인됩니다.':
    'A Safe cannot be connected here. Upload the file to its Transaction Builder and let the owners approve; the outcome is read from the chain.',
  '파일을 만들지 못했습니다': 'The file was not made',
  '이 지갑이 지급할 환불이 없습니다': 'This wallet has no refunds to pay',
  '다른 지갑이 갚을 환불입니다.': 'Another wallet owes them.',
  '파일 {count}개를 받았습니다': '{count} {count:file|files} downloaded',
  '{debtors}명에게 지급합니다.': 'Pays {debtors} {debtors:person|people}.',
  '받은 파일은 {until}까지 실행할 수 있습니다. 그때까지 이 사람들에게 직접 지급하지 마세요. 파일을 잃었으면 다시 받아도 됩니다. 둘 다 실행해도 두 번 지급되지 않습니다.':
    'The file can be executed until {until}. Do not pay these people by hand until then. If the file is lost, download it again; nobody is paid twice even if both are executed.',
  '{until} (한국)': '{until}',
  '파일 다시 받기': 'Download the file again',
  'Safe 파일 받기': 'Get the file for the Safe',
  '파일 받기': 'Get file',
  '{wallet}에서 {count}건, {amount} USDT를 지급하는 거래를 파일로 만듭니다.':
    'Makes a file of transactions that pay {count} {count:refund|refunds}, {amount} USDT, from {wallet}.',
  '파일은 7일 동안 유효합니다. 그동안 이 환불은 다른 지갑이나 다른 방법으로 보낼 수 없고, 직접 지급해서도 안 됩니다.':
    'The file is valid for 7 days. Until then these refunds cannot be sent by another wallet or in another way, and must not be paid by hand.',
  '서명 지갑': 'Signing wallet',
  '잔액 (USDT)': 'Balance (USDT)',
  '보낼 금액 (USDT)': 'To send (USDT)',
  '잔액 (BNB)': 'Balance (BNB)',
  '최대 수수료 (BNB)': 'Highest fee (BNB)',
  '멈추는 중': 'Pausing',
  '일시 중지': 'Pause',
  '답을 기다리지 않기': 'Stop waiting for an answer',
  '지금 승인할 환불이 없습니다.': 'There are no refunds to approve now.',
  '이어서 {count}건 지갑에서 승인': 'Go on: approve {count} in the wallet',
  '{count}건 지갑에서 승인': 'Approve {count} in the wallet',
  '새로 고쳐도 진행 상태가 남습니다. 끝날 때까지 이 지갑에서 직접 보내지 마세요.':
    'A reload keeps the progress. Do not send from this wallet by hand until it is done.',
  'Safe 지갑은 연결하지 않습니다. 아래 ‘Safe로 지급’에서 파일을 받으세요.':
    'A Safe is not connected here. Get its file under “Pay with a Safe” below.',
  '운영자 지갑이 설정되지 않았습니다.': 'No operator wallet is set.',
  '보낼 지갑': 'Sending wallet',
  '{chosen} 계정으로 연결하세요. 다른 계정으로는 보낼 수 없습니다.':
    'Connect as {chosen}. No other account can send.',
  '운영자 지갑 연결': 'Connect the operator wallet',
  '논스를 비우지 못했습니다': 'The nonces were not used up',
  '논스 비우기': 'Use up nonces',
  '{count}건의 결과를 확인하고 있습니다.': 'Checking the outcome of {count} {count:refund|refunds}.',
  '지갑의 답을 아직 모릅니다. 다른 창이나 다른 관리자의 요청일 수도 있습니다. 같은 항목을 두 번 넘기지 않습니다.':
    "The wallet's answer is not known yet. It may be a request of another window or administrator. The same item is never handed over twice.",
  '{ago} 지갑에 넘긴 뒤 답이 없습니다. 두 번 보내지 않도록, 체인에서 지급이 확인되거나 넘길 때 정한 기한이 지나야 풀립니다.':
    'Handed to the wallet {ago}, without an answer. So that nothing is sent twice, it stays blocked until the chain shows the payment or the time set at the hand-over has passed.',
  '{ago} 지갑에 넘긴 뒤 답이 없습니다. 두 번 보내지 않도록, 체인에서 지급이 확인되거나 지갑의 논스 {bound}까지 다른 거래로 확정되어야 풀립니다.':
    "Handed to the wallet {ago}, without an answer. So that nothing is sent twice, it stays blocked until the chain shows the payment, or other transactions up to the wallet's nonce {bound} are final.",
  '지갑이 번호를 스스로 정할 수 있어, {lostFrom} (한국)부터 관리자가 거래 없음으로 표시해야 합니다.':
    'The wallet can choose its own numbers, so from {lostFrom} an administrator has to mark it as lost.',
  '{count}건은 지금 거래 없음으로 표시할 수 있습니다.': '{count} can be marked as lost now.',
  '{calledLost}건은 거래 없음으로 표시되어 체인의 확인만 기다립니다.':
    '{calledLost} {calledLost:is|are} marked as lost and {calledLost:waits|wait} for the chain.',
  '빈 거래 승인': 'Approve empty transactions',
  '지갑에서 금액이 0인 거래를 승인합니다. 잃어버린 요청이 쓸 수 있던 번호({bound}까지)를 모두 써 버려, 뒤늦게 보내질 수 없게 합니다.':
    'Approve transactions of 0 in the wallet. They use up every number the lost request could carry (up to {bound}), so it can no longer be sent later.',
  '확정되면 이 항목은 완료되거나, 지급되지 않았을 때만 다시 보낼 수 있게 됩니다. 번호를 스스로 정하는 지갑이면 하루가 지난 뒤 거래 없음으로도 표시해야 합니다.':
    'Once they are final, these items are done, or can be sent again if they were not paid. If the wallet chooses its own numbers, they also have to be marked as lost after a day.',
  '빈 거래를 보냈습니다': 'The empty transactions are sent',
  '{sent}건이 확정되면 결과가 가려집니다.': 'Once {sent} {sent:is|are} final, the outcome is known.',
  '서버가 이 페이지와 다른 토큰이나 체인을 알려주었습니다. 서명하지 마세요.':
    'The server named another token or chain than this page. Do not sign.',
  '환불 컨트랙트를 올리지 못했습니다. 지갑의 거래 기록을 확인하세요.':
    "The refund contract was not deployed. Check the wallet's history.",
  '이 지갑이 넘길 환불이 없습니다.': 'This wallet has no refunds to hand over.',
  '환불 컨트랙트를 확인할 수 없어 넘기지 못합니다.':
    'It cannot be handed over because the refund contract cannot be checked.',
  '지갑의 답을 받지 못했습니다. 지갑의 기록을 확인하세요.':
    "The wallet gave no answer. Check the wallet's history.",
} as const
