export const event = {
  '추첨 일시는 180일 안이어야 합니다.': 'The draw has to be within 180 days.',
  '이벤트 #{archived}의 기록이 보관되고 이벤트 #{opened}의 판매가 시작되었습니다.':
    'Event #{archived} is archived, and the sale of event #{opened} has begun.',
  장: 'tickets',
  '블록을 만든 검증자도 결과를 고를 수 없도록, 블록이 확정된 뒤에야 공개되는 drand의 난수를 섞습니다. 발표는 1~2분 늦어집니다.':
    'Mixes in a random number of drand that is published only after the blocks are final, so not even their validators can choose the result. It is announced 1 to 2 minutes later.',
  '블록 해시 5개': 'Five block hashes',
  '추첨 시각의 블록 해시만으로 바로 정해지지만, 그 블록을 만든 검증자가 결과에 영향을 줄 여지가 남습니다.':
    'The hashes of the blocks at the draw time decide at once, but the validators of those blocks have some room to influence the result.',
  '정하지 않음': 'Not chosen',
  '구매자가 USDT를 보내는 주소입니다. 한 글자라도 다르면 돈을 되찾을 수 없습니다.':
    'Buyers send USDT to this address. With one wrong character the money is lost.',
  '지갑 주소': 'Wallet address',
  '서버 설정(OPERATOR_WALLET)으로 고정되어 있습니다.': "Fixed by the server's settings (OPERATOR_WALLET).",
  '첫 티켓이 판매된 {at}부터 잠겼습니다.': 'Locked since the first ticket was sold, {at}.',
  '첫 티켓이 판매된 때부터 잠겼습니다.': 'Locked since the first ticket was sold.',
  '지갑 주소 복사': 'Copy wallet address',
  '체크섬이 있는 주소 또는 모두 소문자인 주소만 저장됩니다.':
    'Only an address with a checksum, or all in lower case, is saved.',
  '서명으로 확인됨': 'Proven by signature',
  '지갑을 확인했습니다': 'The wallet is proven',
  '이 지갑의 키를 가진 사람이 서명했습니다.': "Whoever holds this wallet's key has signed.",
  '아직 서명으로 확인되지 않은 지갑입니다. 잘못 적은 주소가 아닌지 판매 전에 확인하세요.':
    'This wallet is not proven by a signature yet. Make sure before the sale that its address is right.',
  '설정을 저장했습니다': 'Settings saved',
  '설정 업데이트에 실패했습니다': 'The settings were not updated',
  '공개 페이지에 바로 반영됩니다.': 'The public page shows them at once.',
  '판매가 끝난 {at}부터 잠겼습니다.': 'Locked since the sale ended, {at}.',
  '판매가 끝난 때부터 잠겼습니다.': 'Locked since the sale ended.',
  '다음 이벤트의 추첨 방식은 “다음 이벤트”에서 정합니다.': "The next event's draw is set under “Next event”.",
  '추첨 일정과 배송 양식': 'Draw schedule and delivery form',
  '저장하면 판매 종료 시각은 추첨 {lead} 전으로 함께 바뀝니다.':
    'Saving also sets the end of the sale to {lead} before the draw.',
  '비워 두면 추첨 없이 판매만 합니다.': 'Empty means selling without a draw.',
  '판매 종료 (UTC)': 'Sale ends (UTC)',
  '자동으로 계산됩니다.': 'Worked out automatically.',
  '판매가 끝나 잠겼습니다.': 'Locked because the sale has ended.',
  '추첨 시각에 이보다 적게 팔리면 전액 환불로 바뀝니다.':
    'If fewer are sold by the draw time, everything is refunded.',
  '비워 두면 당첨자 화면에 버튼이 나타나지 않습니다. 쓸 수 있는 주소: {formHosts}':
    'Empty means the winner sees no button. Allowed hosts: {formHosts}',
  '저장된 양식 주소의 호스트가 허용 목록(FORM_HOSTS)에 없어 당첨자 화면에 나타나지 않습니다.':
    'The host of the saved form is not on the allowed list (FORM_HOSTS), so the winner does not see it.',
  '설정 저장': 'Save settings',
  '이벤트 {eventNumber}의 진행이 끝났습니다.': 'Event {eventNumber} is over.',
  '새 추첨 일시를 저장하면 기록으로 보관되고 이벤트 {eventNumber}의 판매가 시작됩니다.':
    'Save a new draw date to archive it and to start selling event {eventNumber}.',
  '판매가 끝나 추첨 일정과 지갑이 잠겼습니다.':
    'The sale has ended, so the draw schedule and the wallet are locked.',
  '배송 양식만 바꿀 수 있습니다.': 'Only the delivery form can change.',
  '구매자에게 약속한 조건이 모두 잠겼습니다.': 'Everything that buyers were promised is locked.',
  '날짜도 옮길 수 없습니다. 추첨하지 않으려면 판매를 중단하고 모두 환불합니다.':
    'No date moves any more. Not to draw means to stop the sale and pay everybody back.',
  '추첨 일시는 한 번만 정할 수 있습니다.': 'The draw date can be set once.',
  '첫 티켓이 팔리면 지갑, 가격, 일정, 최소 수량, 추첨 방식, 경품이 모두 잠깁니다. 비어 있는 추첨 일시만 나중에 한 번 정할 수 있습니다.':
    'The first ticket locks wallet, price, dates, minimum, way of drawing and prizes. Only an empty draw date can be set later, once.',
  '판매 중단하고 환불': 'Stop the sale and refund',
  '판매를 중단하지 못했습니다': 'The sale was not stopped',
  '판매가 지금 끝나고, 모든 결제를 전액 환불합니다. 추첨하지 않습니다. 되돌릴 수 없습니다.':
    'The sale ends now, and every payment goes back in full. Nothing is drawn. This cannot be undone.',
  '이벤트 번호 {eventNumber} 입력': 'Type the event number {eventNumber}',
  '판매를 중단했습니다': 'The sale is stopped',
  '환불 탭에서 전액 환불을 시작하세요.': 'Start the refunds in the refund tab.',
  '추첨하지 않고 끝내기': 'End it without a draw',
  '약속한 조건은 바꿀 수 없지만, 판매가 끝나기 전에는 중단하고 모두에게 돌려줄 수 있습니다.':
    'What was promised cannot be changed; before the sale ends it can be stopped, and everybody is paid back.',
  '추첨 조건 변경': 'Change the terms of the draw',
  '변경 저장': 'Save changes',
  '추첨: {utc} (한국 {korea})': 'Draw: {utc} ({korea})',
  '판매 종료: {utc} (한국 {korea})': 'Sale ends: {utc} ({korea})',
  '추첨 일시를 지웁니다. 공개 페이지에 “Not Set”으로 나타나고 판매는 계속됩니다.':
    'Removes the draw date. The public page shows “Not Set” and the sale goes on.',
  '“다음 이벤트”에 저장한 초안이 적용됩니다. 여기에 입력한 값이 초안보다 먼저입니다.':
    "The draft saved under “Next event” takes effect. Values entered here come before the draft's.",
  '최소 참여 인원: {minTicketsForDraw}장.': 'Minimum tickets: {minTicketsForDraw}.',
  '바뀐 내용은 공개 변경 기록에 남습니다.': 'The public list of changes records what changed.',
  '운영자 지갑 변경': 'Change the operator wallet',
  '지갑 변경': 'Change wallet',
  '확인을 위해 주소의 마지막 4자리를 입력하세요': 'To confirm, enter the last 4 characters of the address',
  '앞으로 구매자의 USDT가 모두 이 주소로 갑니다. 한 글자라도 다르면 돈을 되찾을 수 없습니다.':
    'From now on, all USDT of buyers goes to this address. With one wrong character the money is lost.',
  '새 지갑 주소 복사': 'Copy the new wallet address',
  '첫 티켓이 판매되면 잠깁니다. 바뀐 주소는 공개 변경 기록에 남습니다.':
    'It locks when the first ticket is sold. The public list of changes records the new address.',
  '{min}에서 {max} 사이의 정수를 입력하세요.': 'Enter a whole number from {min} to {max}.',
  '0x로 시작하는 42자리 주소를 입력하세요.': 'Enter an address of 42 characters that starts with 0x.',
  '빈 주소에는 돈을 받을 수 없습니다.': 'The zero address cannot receive money.',
  '체크섬이 맞지 않는 주소입니다.': 'The checksum of the address is wrong.',
  '{hosts} 주소만 쓸 수 있습니다.': 'Only addresses on {hosts} are allowed.',
  '추첨 방식과 경품: {entropy}, 당첨자 {winners}명, {prizes}':
    'Draw and prizes: {entropy} · winners: {winners} · {prizes}',
  '아래 이벤트 내용의 경품과 수량에서 정해집니다.':
    "They follow from the prizes and quantities of the event's content below.",
} as const
