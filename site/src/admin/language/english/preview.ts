export const preview = {
  휴대전화: 'Phone',
  데스크톱: 'Desktop',
  미리보기: 'Preview',
  '화면 폭': 'Width',
  '미리보기, {name}, {languages}': 'Preview, {name}, {languages}',
  '보는 화면': 'View',
  '첫 화면': 'First page',
  '이벤트 페이지': 'Event page',
  '공유 그림': 'Share picture',
} as const
