/** Event, terms, content, payments, draw and prizes. */
export const event = {
  '이벤트 #{archived}의 기록이 보관되고 이벤트 #{opened}의 판매가 시작되었습니다.':
    'Event #{archived} is archived, and the sale of event #{opened} has begun.',
  '해당 이벤트가 없습니다.': 'There is no such event.',
  '운영자 지갑이 아직 없습니다.': 'There is no operator wallet yet.',
  '운영자 지갑은 USDT 컨트랙트, 환불 컨트랙트, 빈 주소일 수 없습니다.':
    'The operator wallet cannot be the USDT contract, the refund contract or the zero address.',
  '지문을 기록하는 서버의 지갑(ANCHOR_KEY)은 운영자 지갑이 될 수 없습니다.':
    'The server’s anchor wallet (ANCHOR_KEY) cannot be the operator wallet.',
  '첫 티켓이 판매되거나 약속이 블록체인에 기록된 때부터 잠깁니다.':
    'Locked since the first ticket was sold, or the terms were recorded on the chain.',
  '판매 종료 시각부터 잠깁니다.': 'Locked from the end of the sale.',
  '서버 설정 OPERATOR_WALLET이 정합니다.': 'OPERATOR_WALLET of the server says it.',
  '당첨자 수와 경품은 이벤트 내용을 따릅니다.': 'Winners and prizes follow from the content.',
  '이벤트 내용은 첫 티켓이 판매되거나 약속이 블록체인에 기록된 때, 또는 판매가 끝난 때부터 잠깁니다. 링크만 바꿀 수 있습니다.':
    'The content is locked from the first ticket sold, the record of the terms on the chain, or the end of the sale. Only its links can be changed.',
  '추첨을 발표하고 있습니다. 10초 뒤에 다시 시도하세요.':
    'The draw is being announced. Try again in 10 seconds.',
  '이벤트 {number}의 진행이 끝난 뒤에 다음 이벤트를 시작할 수 있습니다.':
    'The next event can begin when event {number} is over.',
  '다음 이벤트의 추첨 일시를 먼저 저장하세요.': 'Save the draw date of the next event first.',
  '당첨자 수와 경품은 이벤트 내용의 경품과 수량을 따릅니다. 이벤트 내용을 바꿔주세요.':
    'Winners and prizes follow from the prizes of the event’s content. Change the content.',
  '경품은 당첨자 수만큼({winners}) 정해야 합니다.': 'There must be as many prizes as winners ({winners}).',
  'USDT 경품에는 금액이 있어야 합니다.': 'A USDT prize needs an amount.',
  '동의를 받으려면 이용약관이 있어야 합니다.': 'Consent can only be asked for where there are terms.',
  '거래가 아직 확정되지 않았습니다. 잠시 후 다시 시도해주세요.':
    'The transaction is not final yet. Try again in a moment.',
  '지금은 체인을 확인할 수 없습니다. 거래는 접수되어 연결되는 대로 처리됩니다.':
    'The chain cannot be read now. The transaction is noted and will be processed once it can.',
  '이미 처리된 거래입니다. 다시 처리하지 않습니다.':
    'This transaction was already processed. It is not processed again.',
  '티켓 명단이 공개된 명단과 다릅니다.': 'The ticket list differs from the published one.',
  '서버가 추첨하지 못했습니다. 잠시 후 다시 시도해주세요.':
    'The server could not draw. Try again in a moment.',
  '해당 경품이 없습니다.': 'There is no such prize.',
  '이미 받은 경품입니다.': 'This prize was already received.',
  '당첨자가 아직 청구하지 않은 경품이거나 USDT 경품입니다.':
    'The winner has not claimed this prize yet, or it is a USDT prize.',
  '이유를 입력하세요.': 'Enter a reason.',
  '이 데이터베이스는 아직 체인과 대조되지 않았습니다. 복원되었거나, 운영자 지갑이 다른 장부에서 쓰였습니다. 서버에서 bun run admin after-restore를 실행해주세요.':
    'This database has not been compared with the chain yet: it was restored, or the operator wallet served another house. Run bun run admin after-restore on the server.',
  '발송으로 표시된 경품이 아닙니다.': 'This prize is not marked as shipped.',
  '운영자 지갑이 아닌 주소는 공개되는 글에 쓸 수 없습니다: {address}':
    'Only the address of the operator wallet may stand in a public text, not {address}',
} as const
