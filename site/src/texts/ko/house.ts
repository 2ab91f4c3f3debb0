import type { house as english } from '../en/house.ts'

export const house: typeof english = {
  asking: {
    title: '잠시만 기다려 주세요',
    text: '티켓을 판매할 수 있는지 확인하고 있습니다.',
    instead: '확인이 끝나면 표시됩니다.',
  },
  closed: {
    title: '계신 국가에서는 판매하지 않습니다',
    text: '이미 결제한 금액은 그대로 인정되거나 이벤트 규칙에 따라 환불됩니다.',
    instead: '이 국가에서는 표시하지 않습니다.',
  },
  barred: {
    title: '휴식 중인 지갑입니다',
    text: '{until}까지 이 사이트는 이 지갑으로 구매를 열지 않습니다. 이미 결제한 금액은 그대로 인정되거나 이벤트 규칙에 따라 환불됩니다.',
    instead: '지갑이 휴식하는 동안에는 표시하지 않습니다.',
  },
  confirm: {
    title: '첫 구매 전 확인',
    text: '이 추첨의 규칙을 한 번 확인해 주세요. 규칙이 바뀌기 전까지 이 브라우저가 기억합니다.',
    instead: '규칙을 확인하면 표시됩니다.',
    action: '읽고 확인하기',
  },
  dialog: {
    age: '저는 만 {age}세 이상입니다.',
    terms: '{link}을 읽었으며 동의합니다.',
    termsLink: '이용약관',
    privacy: '{link}을 읽었습니다.',
    privacyLink: '개인정보 처리방침',
    kept: '확인한 내용(각 글의 버전과 나이)은 구매와 함께 전송됩니다.',
    missing: '모든 항목에 먼저 표시해 주세요.',
    go: '확인',
  },
  rest: {
    title: '구매 쉬어 가기',
    text: '지갑으로 휴식에 서명합니다. 끝날 때까지 이 사이트는 어느 브라우저에서도 그 지갑으로 구매를 열지 않습니다. 운영자를 포함해 누구도 기간을 줄일 수 없습니다.',
    choose: '휴식 기간',
    days: { one: '{count}일', other: '{count}일' },
    sign: '서명하고 쉬기',
    signing: '지갑의 응답을 기다리는 중',
    connect: '쉬려는 지갑을 먼저 연결하세요.',
    running: '이 지갑은 {until}까지 휴식 중입니다. 더 긴 휴식에는 서명할 수 있습니다.',
    limits: '휴식은 이 사이트에서만 지켜집니다. 지갑에서 직접 보낸 송금은 다른 송금과 똑같이 인정됩니다.',
    done: '휴식이 시작되었습니다',
    doneText: '{until}까지 이 사이트는 이 지갑으로 구매를 열지 않습니다.',
    failed: '휴식을 시작하지 못했습니다',
    unreachable: '서버에 연결할 수 없습니다. 잠시 후 다시 시도하세요.',
    notOurs: '서버가 휴식이 아닌 다른 서명을 요청했습니다. 아무것도 서명하지 않았습니다.',
    notSigned: '지갑이 서명하지 않았습니다.',
  },
}
