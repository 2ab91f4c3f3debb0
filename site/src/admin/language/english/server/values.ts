/** Refusals of values, whatever call they were sent with. A pattern that another one's sentences fit too stands behind it. */
export const values = {
  '비밀번호는 {least}자 이상 {most}자 이하여야 합니다.': 'A password has {least} to {most} characters.',
  '너무 흔한 비밀번호입니다. 다른 비밀번호를 사용해주세요.': 'This password is too common. Use another one.',
  '비밀번호에 사용자명을 포함할 수 없습니다.': 'A password may not contain the username.',
  '이미 사용 중인 사용자명입니다.': 'This username is taken.',
  '새 사용자명 또는 새 비밀번호를 입력해주세요.': 'Enter a new username or a new password.',
  '영문, 숫자, . _ @ + - 만 64자까지 사용할 수 있습니다.':
    'Only letters, digits and . _ @ + - are allowed, at most 64.',
  '비밀번호를 입력하세요': 'Enter your password',
  '사용자명을 입력하세요': 'Enter your username',
  '현재 비밀번호를 입력해주세요': 'Enter your current password',
  '6자리 인증 코드를 입력하세요.': 'Enter the code of 6 digits.',
  'IP 주소 또는 CIDR 형식이 올바르지 않습니다.': 'This is not an IP address or a CIDR range.',
  'IP 범위가 너무 넓습니다. IPv4는 /8, IPv6는 /16보다 좁아야 합니다.':
    'This IP range is too wide. It must be narrower than /8 for IPv4, /16 for IPv6.',
  '최대 {most}개의 IP 목록이어야 합니다.': 'Must be a list of at most {most} IP addresses.',
  '지갑 주소가 올바르지 않습니다. 체크섬을 확인해주세요.':
    'This is not a wallet address. Check its checksum.',
  '최소 하나의 설정을 변경해주세요': 'Change at least one setting',
  '여기에 올린 이미지 주소만 쓸 수 있습니다. 이미지를 먼저 올려주세요.':
    'Only an image that was uploaded here can be used. Upload it first.',
  '배송 양식은 {hosts} 주소만 쓸 수 있습니다. 다른 곳은 서버 설정 FORM_HOSTS에 추가하세요.':
    'The shipping form may only be at {hosts}. Add others to FORM_HOSTS in the server settings.',
  'ISO 3166-1 두 글자 국가 코드가 아닙니다.': 'This is not a country code of two letters (ISO 3166-1).',
  '국가 목록이 올바르지 않습니다.': 'This is not a valid list of countries.',
  '1자 이상 {most}자 이하의 글이어야 하며, 제어 문자나 글자 방향을 바꾸는 기호는 쓸 수 없습니다.':
    'Must have 1 to {most} characters, without control characters or marks that change the direction of text.',
  'terms 또는 privacy여야 합니다.': 'Must be terms or privacy.',
  'goods 또는 token이어야 합니다.': 'Must be goods or token.',
  'ko 또는 en이어야 합니다.': 'Must be ko or en.',
  'true 또는 false여야 합니다.': 'Must be true or false.',
  'image/jpeg 또는 image/png여야 합니다.': 'Must be image/jpeg or image/png.',
  'https:// 로 시작하는 올바른 주소가 아닙니다.': 'This is not a valid address that begins with https://.',
  '값을 입력해주세요.': 'A value is needed.',
  '값을 입력해주세요. 영어와 한국어 모두 필요합니다.': 'A value is needed, in English and in Korean.',
  '숫자여야 합니다.': 'Must be a number.',
  '올바른 값이 아닙니다.': 'This is not a valid value.',
  '올바른 텍스트가 아닙니다.': 'This is not a valid text.',
  '올바른 텍스트가 아닙니다. 제어 문자나 방향을 바꾸는 문자는 쓸 수 없습니다.':
    'This is not a valid text. Control characters and marks that change the direction of text are not allowed.',
  '영어와 한국어를 모두 입력해주세요.': 'Enter both English and Korean.',
  '경품 목록이 올바르지 않습니다.': 'This is not a valid list of prizes.',
  '경품 수량의 합은 {most} 이하여야 합니다. 지금은 {winners}입니다.':
    'The prizes add up to {winners} pieces. At most {most} are allowed.',
  '한 줄 {signs}자, {lines}줄 이하여야 하며 빈 줄은 둘 수 없습니다.':
    'May have {lines} lines of {signs} characters at most, and no empty line.',
  '실물 경품에는 USDT 금액이 없습니다.': 'A prize of goods has no USDT amount.',
  '여기에 올린 이미지가 아닙니다.': 'This image was not uploaded here.',
  '올바른 SHA-256 값이 아닙니다.': 'This is not a SHA-256 value.',
  '올바른 이메일 주소가 아닙니다.': 'This is not an e-mail address.',
  '메일 서버 이름이 올바르지 않습니다.': 'This is not the name of a mail server.',
  '받는 사람은 1명부터 {most}명까지입니다.': 'Needs 1 to {most} recipients.',
  '웹훅과 이메일 중 하나를 입력해주세요.': 'Enter either a webhook or an e-mail.',
  '사용자와 비밀번호를 함께 입력해주세요.': 'Enter user and password together.',
  'whsec_ 로 시작하는 24~64바이트의 Base64 값이어야 합니다.':
    'Must begin with whsec_, followed by 24 to 64 bytes as Base64.',
  '파일 크기(바이트)여야 합니다.': 'Must be the size of the file in bytes.',
  '알 수 없는 항목입니다: {field}': 'Unknown field: {field}',
  '{max}자 이하의 올바른 텍스트가 아닙니다.': 'This is not a valid text of at most {max} characters.',
  '{max}자 이하여야 합니다.': 'May have at most {max} characters.',
  '{least}부터 {most}까지의 정수여야 합니다.': 'Must be a whole number from {least} to {most}.',
  '{least}개부터 {most}개까지여야 합니다.': 'Must be {least} to {most} in number.',
  '{options} 중 하나여야 합니다.': 'Must be one of: {options}.',
} as const
