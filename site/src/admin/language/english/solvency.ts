export const solvency = {
  '보유 금액과 지급할 금액': 'Held and owed',
  '최소 수량 옆에 같은 값이 공개됩니다.': 'The same figures are public beside the minimum.',
  '블록 {block}에서 {held} USDT를 보유했고, 지급할 금액은 {required} USDT입니다.':
    'At block {block} you held {held} USDT and owed {required} USDT.',
  '아직 두 노드의 같은 답을 받지 못했습니다.': 'Two nodes have not given the same answer yet.',
  '지급할 금액보다 {missing} USDT 부족합니다.': '{missing} USDT less than owed.',
  '공개 페이지에도 부족으로 나타납니다. 운영자 지갑에 USDT를 채우세요.':
    'The public page shows it as short too. Fill up the operator wallet with USDT.',
  충분: 'Covered',
  부족: 'Short',
  '확인 불가': 'Unknown',
} as const
