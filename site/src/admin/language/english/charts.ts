export const charts = {
  누적: 'Total',
  '최소 {count}장': 'Minimum {count}',
  '모두 {count}장 판매': '{count} tickets sold in all',
} as const
