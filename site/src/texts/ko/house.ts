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
}
