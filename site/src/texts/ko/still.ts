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
  hero: {
    event: '이벤트',
    onePrize: '경품 1개',
    value: '경품 가치',
    next: '다음 티켓',
    bars: 'SHA-256, 블록 5개',
    price: '가격',
    buy: '티켓 구매',
    draw: '추첨 시작',
    hint: '구매 제한이 없습니다. {minimum}장 미만이면 전액 환불합니다.',
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
  prize: { title: '경품' },
  participate: {
    title: '참여 방법',
    lead: '다섯 가지 규칙입니다. 체인도, 저희도 지킵니다.',
    counter: '티켓 구매하기',
    example: '예시',
    examplePaid: '한 번에 99 USDT 전송',
    exampleTickets: '티켓 33장',
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
    noLimit: '지갑당 구매 제한 없음',
    salesEnd: '판매 마감까지',
    how: '구매 방법',
    steps: [
      { title: '지갑 연결', text: 'MetaMask 등 BNB Smart Chain 지갑을 연결합니다.' },
      {
        title: '수량 선택',
        text: '티켓 한 장은 {price} USDT입니다. 한 번에 99 USDT를 보내면 33장입니다.',
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
    checkLead: '브라우저에서 공개 노드로 직접 검증합니다.',
    history: '지난 당첨 기록',
    historyLead: '끝난 이벤트를 최신순으로 보여줍니다.',
    changes: '이벤트 변경 내역',
    changesLead: '날짜, 최소 수량, 지갑, 발표의 변경을 UTC 시각과 함께 남깁니다. 지우는 항목은 없습니다.',
  },
  fairness: {
    title: '검증으로 알 수 있는 것',
    lead: '알 수 없는 것도 함께, 숨김없이 적었습니다.',
    excluded: '불가능한 일',
    notExcluded: '막을 수 없는 일',
    excludedPoints: [
      {
        name: '시점 고르기.',
        text: '쓰이는 블록은 추첨 시각 이후의 첫 블록과 그 앞의 네 블록입니다. 나중에 눌러도 달라지지 않습니다.',
      },
      {
        name: '목록 고르기.',
        text: '목록은 판매가 끝나면 확정되고, 지문은 블록이 만들어지기 전에 공개됩니다. 누구나 체인에서 한 바이트까지 똑같이 다시 만들 수 있습니다.',
      },
      {
        name: '다시 추첨하기.',
        text: '같은 해시 다섯 개와, 섞는 경우 같은 회차는 언제나 같은 티켓을 가리킵니다. 발표를 취소한 뒤에도 마찬가지입니다.',
      },
      {
        name: '당첨자 고르기.',
        text: '당첨자가 여러 명이어도 당첨자와 예비 당첨자 모두 그 숫자 하나에서 나옵니다.',
      },
    ],
    source: '숫자에 영향을 줄 수 있는 사람',
    sourceLead:
      '어느 쪽이든 운영자는 영향을 줄 수 없습니다. 무엇을 쓰는지는 첫 티켓을 팔기 전에 이벤트의 조건에 정해집니다.',
    sources: [
      {
        name: '블록 해시 다섯 개만 쓸 때',
        points: [
          {
            name: '불가능한 일.',
            text: '구매자나 운영자가 숫자에 영향을 주는 일. 둘 다 블록을 만들지 않습니다.',
          },
          {
            name: '막을 수 없는 일.',
            text: '추첨 시각에 차례인 블록 생성자는 블록을 조금씩 바꿔 결과를 보고 다시 시도하거나, 블록을 공개하지 않을 수 있습니다. 천 장 중 한 장만 가져도 그것으로 충분할 수 있습니다. 증명과 증서에 다섯 블록을 각각 누가 만들었는지 적으며, 생성자 한 명이 다섯 개를 모두 만드는 경우가 많습니다.',
          },
        ],
      },
      {
        name: '블록 해시 다섯 개와 drand 회차를 쓸 때',
        points: [
          {
            name: '불가능한 일.',
            text: '블록 생성자 혼자, 또는 drand 혼자 결과를 고르는 일. 회차의 값은 서로 독립한 기관들이 함께 만드는 난수로, 블록보다 적어도 1분 늦게 나옵니다. 블록은 그 기관들의 키보다 나중에 만들어집니다. 회차 번호는 추첨일에 따라 정해지며, 늦어져도 기다릴 뿐 바꾸지 않습니다.',
          },
          {
            name: '막을 수 없는 일.',
            text: '서명에 필요한 수만큼의 drand 기관이 블록 생성자와 공모하는 일. 또는 누군가 1분 가까이 체인 전체를 붙잡는 일로, 이때 두 회차 가운데 하나를 한 번 고를 수 있습니다. 값이 끝내 나오지 않으면 7일 뒤 모두 환불합니다.',
          },
        ],
      },
    ],
    notExcludedPoints: [
      {
        name: '운영자의 구매.',
        text: '운영자나 지인이 다른 지갑으로 티켓을 살 수 있습니다. 티켓 값은 운영자에게 돌아오므로 드는 비용은 수수료뿐입니다.',
      },
      {
        name: '경품과 환불의 이행.',
        text: '돈을 보관하는 컨트랙트는 없습니다. 경품 발송과 환불은 운영자의 약속입니다.',
      },
    ],
  },
  next: { title: '다음 이벤트' },
}
