export const journal = {
  '분개장 (복식 부기)': 'Journal (double entry)',
  '등록한 지갑의 모든 USDT 이동을 차변과 대변으로 적은 CSV입니다. 날짜는 UTC입니다.':
    'A CSV of every USDT transfer of your registered wallets, as debits and credits. Days are UTC.',
  첫날: 'First day',
  '마지막 날': 'Last day',
  'CSV 받기': 'Get CSV',
  '분개장 CSV 받기': 'Get the journal as CSV',
  '분개장 내보내기': 'Journal export',
  '분개장 내보내기에 실패했습니다': 'The journal export failed',
  '마지막 날은 첫날과 같거나 그 뒤여야 합니다.': 'The last day cannot be before the first day.',
  '장부 정리를 돕는 자료이며 세무나 회계 자문이 아닙니다. 가스비, 실물 경품, 등록하지 않은 지갑은 들어 있지 않습니다.':
    'An aid for your bookkeeping, not tax or accounting advice. Gas, prizes of goods and wallets that are not registered are not in it.',
} as const
