export const setup = {
  '첫 설정': 'First set-up',
  '판매를 시작하기 전에 할 일입니다. 끝난 일은 저절로 사라집니다.':
    'What to do before sales begin. A step is gone by itself once it is done.',
  '이 컴퓨터에서 시험할 때 필요한 것만 세었습니다. 끝난 일은 저절로 사라집니다.':
    'Only what a trial on this computer needs is counted. A step is gone by itself once it is done.',
  '{all}개 중 {done}개 완료': '{done} of {all} done',
  펼치기: 'Show',
  '접어 두기': 'Put away',
  '인쇄된 비밀번호는 하루만 쓸 수 있습니다. 직접 정한 것으로 바꾸세요.':
    'A printed password is good for one day. Choose one of your own.',
  '계정 관리 열기': 'Open account',
  '2단계 인증(OTP)': 'Second factor (OTP)',
  '비밀번호가 새어도 다른 사람이 들어올 수 없게 합니다.': 'It keeps others out even if the password leaks.',
  '2단계 인증 설정': 'Set up two-factor login',
  '접속 허용 IP 주소': 'Allowed IP addresses',
  '정해진 곳에서만 관리자 화면에 들어올 수 있게 합니다.':
    'The administrator area then opens from these places only.',
  '주소 정하기': 'Choose addresses',
  '운영자 지갑 소유 증명': 'Prove the operator wallet',
  '구매자의 돈을 받을 지갑입니다. 그 지갑으로 서명해서 열쇠가 있음을 확인하세요.':
    'Buyers pay to this wallet. Sign with it to show that you hold its key.',
  '지갑으로 가기': 'Go to the wallet',
  '서로 다른 RPC 제공자 두 곳': 'Two RPC providers',
  '한 곳만 말하는 것은 믿지 않습니다. RPC_URLS에 적은 두 곳이 모두 응답해야 합니다.':
    'What only one says is not believed. Two providers in RPC_URLS have to answer.',
  '연결 상태 보기': 'See connections',
  '자동 기록용 키': 'Anchor key',
  '추첨 전에 티켓 명단을 체인에 남깁니다. ANCHOR_KEY를 정하고 가스비로 쓸 BNB를 보내세요.':
    'It puts the ticket list on the chain before the draw. Set ANCHOR_KEY and send it some BNB for gas.',
  '키 상태 보기': 'See the key',
  백업: 'Backup',
  '사흘 안에 만든 백업이 있어야 합니다.': 'There has to be a backup from the last three days.',
  '방법 보기': 'Show how',
  '서버의 .env에 RESTIC_REPOSITORY와 RESTIC_PASSWORD를 정하면 백업 서비스가 매시간 만들어 보냅니다. 직접 만들려면 서버에서:':
    'Set RESTIC_REPOSITORY and RESTIC_PASSWORD in .env on the server: the backup service then makes and sends one every hour. To make one by hand, on the server:',
  '알림 도착 확인': 'See an alert arrive',
  '채널을 하나 추가하고 시험 알림을 받아 보세요. 문제가 생기면 바로 알 수 있습니다.':
    'Add a channel and send it a test message. You then hear of problems at once.',
  '알림으로 가기': 'Go to alerts',
  '지금은 처음부터 들어 있던 예시입니다. 제목과 경품을 직접 적어 저장하세요.':
    'What is there now is the example. Write your own title and prizes, and save them.',
  '내용 쓰기': 'Write it',
  '날짜를 정하면 판매 종료 시각이 함께 정해지고 카운트다운이 시작됩니다.':
    'With a date the end of the sale is set too, and the countdown begins.',
  '날짜 정하기': 'Choose a date',
} as const
