export const errors = {
  '패스키를 확인하지 못했습니다. 다시 시도하세요.': 'The passkey was not recognised. Try again.',
  '이미 추첨이 끝난 이벤트입니다. 다시 추첨할 수 없습니다.':
    'This event is already drawn. It cannot be drawn again.',
  '이 회차의 서명은 이미 확인되었습니다.': 'The signature of this round is already verified.',
  '추첨에 쓰일 drand 회차를 기다리고 있습니다. 회차가 나오면 자동으로 추첨합니다.':
    'Waiting for the drand round of the draw. The draw runs by itself when the round is there.',
  '보낸 내용을 서버가 읽지 못했습니다. 페이지를 새로 고친 뒤 다시 시도해주세요.':
    'The server could not read what was sent. Reload the page and try again.',
  '보낸 금액이 티켓 한 장 가격보다 적습니다. 환불 대상 목록에 남습니다.':
    'The amount is less than the price of a ticket. It stays on the refund list.',
  '전송이 너무 오래 걸렸습니다. 다시 시도해주세요.': 'The transfer took too long. Please try again.',
  '서버가 바쁩니다. 잠시 후 다시 시도해주세요.': 'The server is busy. Please try again shortly.',
  '서명할 문장의 유효 시간(10분)이 지났습니다. 다시 시도해주세요.':
    'The message to sign was valid for 10 minutes only. Please try again.',
  '이 사이트가 만든 문장이 아닙니다. 다시 시도해주세요.':
    'This site did not make that message. Please try again.',
  '이미 사용된 문장입니다. 다시 시도해주세요.': 'That message has already been used. Please try again.',
  '데이터베이스에 연결할 수 없습니다. 잠시 후 다시 시도해주세요.':
    'The database cannot be reached. Please try again shortly.',
  '아직 추첨 시각이 되지 않았습니다.': 'The draw time has not come yet.',
  '다른 다운로드를 준비하고 있습니다. 잠시 후 다시 시도해주세요.':
    'Another download is being prepared. Please try again shortly.',
  '요청을 보내지 못했습니다. 페이지를 새로 고친 뒤 다시 시도해주세요.':
    'The request could not be sent. Reload the page and try again.',
  '체인 노드에 필요한 과거 블록이 없습니다. 과거 기록이 있는 노드를 RPC_URLS에 추가해주세요.':
    'The chain node lacks past blocks that are needed. Add a node with the full history to RPC_URLS.',
  '서버에서 오류가 났습니다. 잠시 후 다시 시도하고, 계속되면 서버 로그를 확인해주세요.':
    "The server failed. Try again shortly; if it goes on, look into the server's log.",
  '금액이 올바르지 않습니다.': 'The amount is not valid.',
  '사용자명 또는 비밀번호가 올바르지 않습니다.': 'The username or password is wrong.',
  'IP 주소 또는 CIDR 형식이 올바르지 않습니다.': 'This is not an IP address or CIDR range.',
  '이 회차의 올바른 서명이 아닙니다.': 'This is not the valid signature of this round.',
  '수량이 올바르지 않습니다.': 'The quantity is not valid.',
  '거래 해시 형식이 올바르지 않습니다. 0x로 시작하는 64자리 16진수를 입력하세요.':
    'This is not a transaction hash. Enter 0x and 64 hexadecimal digits.',
  '허용되지 않은 IP 주소입니다.': 'This IP address is not allowed.',
  'IP 범위가 너무 넓습니다. IPv4는 /8, IPv6는 /16보다 좁아야 합니다.':
    'The IP range is too wide. IPv4 has to be narrower than /8, IPv6 narrower than /16.',
  '파일 크기(Content-Length)가 필요합니다.': "The file's size (Content-Length) is needed.",
  '서버가 이 요청을 받지 않습니다. 페이지를 새로 고친 뒤 다시 시도해주세요.':
    'The server does not take this request. Reload the page and try again.',
  '최소 티켓 수에 미치지 못했습니다.': 'The minimum number of tickets was not reached.',
  '이 주소로는 관리자 페이지를 쓸 수 없습니다. 주소를 확인해주세요.':
    'The administrator area does not work at this address. Check the address.',
  '이 거래에는 운영자 지갑으로 보낸 USDT가 없습니다.':
    'This transaction sent no USDT to the operator wallet.',
  '올바른 JPG 또는 PNG 이미지가 아닙니다.': 'This is not a valid JPG or PNG picture.',
  '블록이 아직 확정되지 않았습니다. 잠시 후 다시 시도해주세요.':
    'The block is not final yet. Please try again shortly.',
  '이 페이지에서는 변경할 수 없습니다. 서버의 ALLOWED_ORIGINS 설정을 확인해주세요.':
    'Changes are not possible from this page. Check ALLOWED_ORIGINS on the server.',
  '추첨 일시는 180일 안이어야 합니다.': 'The draw has to be within 180 days.',
  '판매 기간 밖에 보낸 거래입니다. 환불 대상 목록에 남습니다.':
    'This transaction was sent outside the sale. It stays on the refund list.',
  '보안을 위해 비밀번호를 다시 입력해주세요.': 'For security, please enter the password again.',
  '환불 중인 이벤트에서는 할 수 없습니다.': 'This is not possible while the event is being refunded.',
  '환불 합계가 변경되었습니다. 새로고침 후 다시 확인해주세요.':
    'The refund totals have changed. Reload and check them again.',
  '이 데이터베이스는 아직 체인과 대조되지 않았습니다. 복원되었거나, 운영자 지갑이 다른 장부에서 쓰였습니다. 서버에서 bun run admin after-restore를 실행해주세요.':
    'This database was not compared with the chain yet: it was restored, or the operator wallet has served another book. Run bun run admin after-restore on the server.',
  '환불이 일시 중지되었습니다. 운영 설정(REFUNDS_PAUSED)을 확인해주세요.':
    'Refunds are paused. Check REFUNDS_PAUSED on the server.',
  '체인 노드들의 답이 서로 다릅니다. 잠시 후 다시 시도해주세요.':
    'The chain nodes give different answers. Please try again shortly.',
  '이미지는 4천만 화소 이하여야 합니다.': 'A picture may have at most 40 million pixels.',
  '확인 중인 거래가 너무 많습니다. 잠시 후 다시 시도해주세요.':
    'Too many transactions are being checked. Please try again shortly.',
  '거래를 찾을 수 없습니다 (transaction not found). 해시를 확인해주세요.':
    'The transaction was not found. Check the hash.',
  '체인에서 실패한 거래입니다. USDT가 움직이지 않았습니다.':
    'This transaction failed on the chain. No USDT moved.',
  '인증이 필요합니다. 다시 로그인해주세요.': 'You have to log in. Please log in again.',
  '이미 사용된 업로드 주소입니다. 다시 시도해주세요.':
    'This upload address has already been used. Please try again.',
  '주소가 너무 깁니다.': 'The address is too long.',
  '다른 관리자가 먼저 설정을 바꿨습니다. 새 값을 확인한 뒤 다시 저장해주세요.':
    'Another administrator changed the settings first. Check the new values and save again.',
  '운영자 지갑은 서버 설정으로 고정되어 있습니다.': "The operator wallet is fixed by the server's settings.",
  '현재 비밀번호가 올바르지 않습니다.': 'The current password is wrong.',
  '서버에 연결할 수 없습니다. 네트워크를 확인한 뒤 다시 시도해주세요.':
    'The server cannot be reached. Check the network and try again.',
  '읽기 전용 계정으로는 할 수 없는 작업입니다.': 'A read-only account cannot do this.',
} as const
