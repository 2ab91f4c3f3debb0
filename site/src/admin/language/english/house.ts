export const house = {
  '켜면 앞으로의 구매부터 페이지가 지킵니다. 체인으로 들어온 돈은 그대로 인정되고 환불됩니다.':
    'Once on, the page keeps them from the next purchase on. Money that arrives by the chain is credited and refunded all the same.',
  '약관과 개인정보': 'Terms and privacy',
  '두 언어를 함께 게시합니다. 저장할 때마다 새 버전이 되고, 이전 버전은 모두 공개로 남습니다. 구매자가 동의한 버전은 구매 기록과 함께 보관합니다.':
    'Publish both languages together. Each save makes a new version, and all earlier ones stay public. The version a buyer agreed to is kept with the purchase.',
  '{title}을 게시하지 못했습니다': '{title}: not published',
  '{title} 새 버전 게시': '{title}: publish a new version',
  '바로 공개되고, 동의를 받는 중이면 구매자에게 다시 묻습니다. 게시한 버전은 지울 수 없으며 누구나 볼 수 있습니다.':
    'It is public at once, and buyers are asked again if consent is on. A published version cannot be removed; anyone can see it.',
  게시: 'Publish',
  '{title}을 게시했습니다': '{title}: published',
  '새 버전이 공개되었습니다.': 'The new version is public.',
  '글을 내리지 못했습니다': 'The text was not taken down',
  '{title} 내리기': '{title}: take down',
  '페이지와 링크에서 사라집니다. 지난 버전은 공개 기록으로 남습니다.':
    'It leaves the page and the links. Earlier versions stay public as a record.',
  내리기: 'Take down',
  '{title}을 내렸습니다': '{title}: taken down',
  '지난 버전은 기록으로 남습니다.': 'Earlier versions stay as a record.',
  '글이 너무 깁니다.': 'The text is too long.',
  '{signsOf} / {mostLegalSigns}자. 빈 줄로 문단을 나누고, “## ”로 시작하는 줄은 제목이 됩니다.':
    '{signsOf} / {mostLegalSigns} characters. An empty line ends a paragraph; a line that starts with “## ” is a heading.',
  '게시 중: {sha256}, {savedAt} 저장': 'Public: {sha256}, saved {savedAt}',
  '게시된 글이 없습니다.': 'Nothing is published.',
  영어: 'English',
  '{title} 게시': '{title}: publish',
  '규칙을 저장하지 못했습니다': 'The rules were not saved',
  '규칙을 저장했습니다': 'The rules are saved',
  '앞으로의 구매부터 적용됩니다.': 'They hold from the next purchase on.',
  '비워 두면 묻지 않습니다. 구매자가 스스로 확인하는 것이며 신분을 검증하지는 않습니다.':
    'Empty means nobody is asked. Buyers confirm it themselves; no identity is checked.',
  '세 이상': 'or older',
  '첫 구매 전에 약관 동의 받기': 'Ask for agreement to the terms before the first purchase',
  '게시된 개인정보 처리방침이 있으면 함께 확인받습니다. 글이 바뀌면 다시 묻습니다.':
    'A published privacy policy is confirmed with it. A changed text is asked again.',
  '먼저 아래에서 이용약관을 게시하세요.': 'Publish the terms of use below first.',
  '두 글자 국가 코드를 쉼표로 나누어 입력합니다. 비워 두면 모든 국가에 판매합니다.':
    'Country codes of two letters, separated by commas. Empty means every country.',
  '규칙 저장': 'Save rules',
  '서버에 COUNTRY_HEADER가 설정되지 않아 방문자의 국가를 알 수 없습니다. 설정하기 전에는 어느 국가도 막히지 않습니다.':
    "COUNTRY_HEADER is not set on the server, so a visitor's country is not known. Until it is set, no country is blocked.",
  '지금 접속에는 {countryHeader} 헤더가 없거나 믿을 수 없는 곳에서 왔습니다. CDN 설정과 TRUSTED_PROXIES를 확인하세요.':
    'This connection has no {countryHeader} header, or it came from a place that is not trusted. Check the CDN and TRUSTED_PROXIES.',
  '지금 접속의 국가: {countryNames} ({countryHeader})':
    'Country of this connection: {countryNames} ({countryHeader})',
  'ISO 3166-1 두 글자 국가 코드가 아닙니다: {unknown}':
    'Not an ISO 3166-1 country code of two letters: {unknown}',
  '{minAge}세 이상': '{minAge} or older',
  '판매하지 않는 국가 {count}곳': 'countries without sales: {count}',
  '나이, 동의, 국가: {rules}': 'Age, agreement, countries: {rules}',
  '모두 꺼짐': 'all off',
} as const
