import type { still as english } from '../en/still.ts'

export const still: typeof english = {
  sections: { home: '홈', buy: '티켓 구매', recent: '최근 구매', winner: '당첨자', next: '다음 이벤트' },
  header: {
    skip: '본문으로 건너뛰기',
    home: 'Blockdraw 홈',
    nav: '메뉴 목록',
    menu: '메뉴',
    darkTheme: '어두운 테마',
    theme: '테마',
    otherLanguage: 'English',
    language: '언어',
  },
  legal: {
    terms: '이용약관',
    privacy: '개인정보 처리방침',
    back: '추첨 페이지로 돌아가기',
    loading: '글을 불러오는 중입니다…',
    none: '게시된 글이 없습니다.',
    failed: '글을 불러오지 못했습니다. 페이지를 새로고침하거나 잠시 후 다시 시도하세요.',
    again: '다시 시도',
    version: '버전 {sha256}, {date} 저장',
  },
  broken:
    '이 페이지의 일부를 불러오지 못했거나, 공개된 파일과 다릅니다. 페이지를 새로고침해 주세요. 계속되면 지갑을 연결하거나 송금하지 마세요.',
  hero: {
    event: '이벤트',
    value: '경품 가치',
    bars: 'SHA-256, 블록 5개',
    price: '가격',
    buy: '티켓 구매',
    draw: '추첨 시작',
    hint: '구매 제한이 없습니다. {minimum}장 미만이면 전액 환불합니다.',
    waiting: { lead: '추첨 일정 보기', hint: '판매가 끝났습니다. 추첨을 기다립니다.' },
    drawn: { lead: '결과 보기', check: '추첨 검증', hint: '이번 이벤트의 추첨이 끝났습니다.' },
    refund: { lead: '환불 안내 보기', hint: '추첨하지 않습니다. 모든 결제를 전액 환불합니다.' },
  },
  stats: {
    sold: '판매된 티켓',
    soldShort: '판매',
    price: '장당 USDT',
    priceShort: '장당 USDT',
    chain: '체인',
    drawDate: '추첨일',
    saleEnd: '판매 마감일',
  },
  countdown: {
    title: '추첨까지 남은 시간',
    date: '추첨일',
    timer: '추첨까지 남은 시간',
    days: '일',
    hours: '시간',
    minutes: '분',
    seconds: '초',
  },
  calendar: '캘린더에 추가',
  transparency: {
    title: '당첨자를 정하는 방법',
    lead: '네 단계를 모두 공개합니다. 티켓 목록은 블록이 만들어지기 전에 확정됩니다.',
    past: '지난 추첨 보기',
    steps: [
      {
        title: '블록 해시 다섯 개 수집',
        text: '추첨 시각의 BNB Smart Chain 최신 블록 다섯 개입니다. 미리 알 수 있는 사람은 없습니다.',
      },
      {
        title: 'SHA256으로 결합',
        text: '해시를 오래된 순서대로 넣으면 256비트 숫자 하나가 나옵니다.',
      },
      {
        title: '당첨자 선정',
        text: '그 숫자를 판매된 티켓 수로 나눈 나머지에 1을 더한 값이 당첨 티켓입니다.',
      },
      {
        title: '결과 공개',
        text: '해시, 숫자, 티켓 목록, 당첨자를 모두 공개합니다. 직접 검증해 보세요.',
      },
    ],
  },
  prize: {
    title: '경품',
  },
  participate: {
    title: '참여 방법',
    lead: '다섯 가지 규칙입니다. 체인도, 저희도 지킵니다.',
    counter: '티켓 구매하기',
    example: '예시',
    examplePaid: '한 번에 {paid} USDT 전송',
    exampleTickets: '티켓 {bought}',
    refundTitle: '환불 정책.',
    minimum: '최소 수량은 {minimum}장입니다.',
  },
  rules: [
    'BNB Smart Chain에서 본인의 지갑을 연결하거나, 그 지갑에서 USDT(BEP-20)를 직접 송금합니다.',
    '티켓 한 장은 {price} USDT입니다. 원하는 티켓을 모두 한 번의 거래로 결제합니다.',
    '금액에 따라 티켓 수가 정해집니다. 온전한 한 장 단위로만 발급하며, 한 장 값에 못 미치는 나머지는 운영자에게 남습니다.',
    '티켓은 보낸 주소로 발급합니다. 경품과 환불도 그 주소 기준이므로 거래소에서 송금하지 마세요.',
    '결제가 확정되면 체인의 순서대로 번호를 매깁니다. 판매 마감 전의 블록에 담긴 결제만 인정합니다.',
  ],
  byHand: {
    title: '직접 송금하시나요?',
    text: '운영자 지갑으로 USDT를 보내고 거래 해시를 {email}로 보내주세요. 보낸 금액에 따라 24시간 안에 최근 구매 목록에 티켓이 표시됩니다.',
  },
  refundPolicy:
    '판매된 티켓이 최소 수량보다 적으면 추첨하지 않습니다. 모든 결제를 보낸 주소로 3-5영업일 안에 전액 환불합니다.',
  operator: { label: '운영자 지갑', copy: '운영자 지갑 복사', qr: '주소 QR 코드' },
  guide: {
    title: '네 단계로 참여하기',
    steps: [
      {
        title: 'BSC에서 USDT 준비',
        text: '지갑에 BEP-20 USDT와 네트워크 수수료로 쓸 BNB를 조금 준비하세요.',
      },
      {
        title: '지갑 연결',
        text: 'MetaMask 등 브라우저 지갑을 연결하세요. 지갑 주소만 확인합니다.',
      },
      { title: '티켓 구매', text: '수량을 고르고 운영자 지갑으로 보내는 전송을 한 번 승인하세요.' },
      {
        title: '추첨 보기',
        text: '추첨 시각에 당첨자가 계산되어 모두에게 동시에 공개됩니다.',
      },
    ],
  },
  reasonsTitle: 'Blockdraw를 선택하는 이유',
  buy: {
    title: '티켓 구매',
    total: '총 판매량:',
    sold: '티켓 {sold}장 판매',
    salesEnd: '판매 마감까지',
    how: '구매 방법',
    steps: [
      { title: '지갑 연결', text: 'MetaMask 등 BNB Smart Chain 지갑을 연결합니다.' },
      {
        title: '수량 선택',
        text: '티켓 한 장은 {price} USDT입니다. 한 번에 {paid} USDT를 보내면 {bought}입니다.',
      },
      {
        title: '한 번에 결제',
        text: '수량에 티켓 가격을 곱한 금액을 운영자 지갑으로 바로 보냅니다.',
      },
      { title: '티켓 받기', text: '거래가 체인에서 확정되면 발급합니다.' },
    ],
    ownWallet: '거래소가 아닌 본인의 지갑에서 결제하세요. 경품과 환불은 보낸 주소로 갑니다.',
    tooFew: '티켓이 충분히 팔리지 않으면',
    minimum: '최소 {minimum}장',
  },
  recent: {
    title: '최근 구매한 티켓',
    lead: '공개된 티켓 목록에서 최신순으로 보여줍니다.',
    connecting: '연결 중',
    explorer: 'BscScan 열기',
    hint: '모든 항목은 누구나 체인에서 확인할 수 있는 결제입니다.',
  },
  winner: {
    title: '당첨자 발표',
    noScript: '실시간 결과를 보려면 JavaScript가 필요합니다. 지난 추첨은 체인에 남아 있습니다.',
    check: '추첨 검증',
    history: '지난 당첨 기록',
    changes: '이벤트 변경 내역',
  },
  fairness: {
    title: '검증으로 알 수 있는 것',
    points: [
      '추첨 시점은 아무도 고를 수 없습니다. 추첨 시각 이후의 첫 블록과 그 앞의 네 블록을 씁니다.',
      '목록은 아무도 고를 수 없습니다. 판매가 끝나면 확정되고, 블록이 생기기 전에 지문을 공개하며, 누구나 체인에서 다시 만들 수 있습니다.',
      '다시 추첨할 수 없습니다. 같은 해시 다섯 개와, 섞는 경우 같은 drand 회차는 언제나 같은 당첨자와 예비 당첨자를 가리킵니다.',
      '검증으로 알 수 없는 것도 있습니다. 마지막 블록의 생성자가 여러 블록을 시도하지 않았는지(drand 회차를 섞으면 막을 수 있습니다), 운영자가 다른 지갑으로 티켓을 사지 않았는지는 알 수 없습니다.',
      '돈을 보관하는 컨트랙트는 없습니다. 보유하고 지급할 금액과 경품의 처리 과정은 이 페이지에 남으며, 지급과 발송은 운영자의 약속입니다.',
    ],
  },
  next: { title: '다음 이벤트' },
}
