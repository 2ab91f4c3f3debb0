export const login = {
  '접근 확인 중 오류가 발생했습니다.': 'The access check failed.',
  '접근 권한을 확인하고 있습니다.': 'Checking whether access is allowed.',
  '접근이 허용된 IP': 'Access allowed from IP',
  '접근 차단': 'Access blocked',
  '접근이 차단되었습니다. 현재 IP: {ip}': 'Access is blocked. Current IP: {ip}',
  '현재 IP 복사': 'Copy current IP',
  '현재 IP는 관리자 접근이 허용되지 않았습니다. 관리자에게 이 주소를 화이트리스트에 추가해 달라고 요청하세요.':
    'The current IP is not permitted for administrator access. Ask the administrator to add this address to the whitelist.',
  '다시 확인': 'Check again',
  '로그인 성공': 'Logged in',
  '어드민 대시보드로 이동 중...': 'Opening the dashboard...',
  '이 브라우저는 로그인을 저장할 수 없습니다.': 'This browser cannot keep the login.',
  '로그인에 실패했습니다.': 'The login failed.',
  '관리자 로그인': 'Administrator login',
  'OTP를 설정할 때 받은 코드 하나를 입력하세요. 한 번만 쓸 수 있습니다.':
    'Enter one of the codes you got when OTP was set up. Each works only once.',
  '복구 코드 사용': 'Use a recovery code',
  '인증 앱 코드 사용': 'Use the authenticator app',
  '로그인 중...': 'Logging in...',
  '사용자명을 입력하세요': 'Enter a username',
  '인증 코드는 최대 6자리입니다': 'An authentication code has at most 6 digits',
  '로그인 중 오류가 발생했습니다.': 'An error occurred during login.',
} as const
