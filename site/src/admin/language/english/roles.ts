/** Roles and administrators. */
export const roles = {
  '읽기 전용 계정은 할 수 없습니다.': 'A read-only account cannot do this.',
  '읽기 전용': 'Read only.',
  '모든 내용을 볼 수 있고, 바꾸는 버튼은 꺼져 있습니다.':
    'You can see everything. Buttons that change something are off.',
  '관리자와 권한': 'Administrators and roles',
  '사람마다 계정을 따로 만드세요. 권한을 바꾸면 그 관리자의 로그인은 모두 끝납니다.':
    'Give each person an account. A new role ends all sessions of that administrator.',
  '관리자 추가': 'Add administrator',
  나: 'You',
  권한: 'Role',
  '로그인 방법': 'Login with',
  '마지막 로그인': 'Last login',
  '30일 안에 없음': 'None in 30 days',
  삭제됨: 'Removed',
  '비밀번호와 패스키': 'Password and passkey',
  '비밀번호와 OTP': 'Password and OTP',
  비밀번호만: 'Password only',
  '권한을 바꾸지 못했습니다': 'The role was not changed',
  '권한 변경': 'Change role',
  '{name}: {from}에서 {to}로 바꿉니다. 이 관리자의 로그인은 모두 끝납니다.':
    '{name} changes from {from} to {to}. All sessions of this administrator end.',
  '권한을 바꿨습니다. 다시 로그인해주세요.': 'Your role was changed. Log in again.',
  '권한을 바꿨습니다': 'Role changed',
  '{name}의 권한': 'Role of {name}',
  '비밀번호를 만들지 못했습니다': 'No password was made',
  '관리자 복구': 'Bring back administrator',
  '새 일회용 비밀번호': 'New one-time password',
  복구: 'Bring back',
  '비밀번호 만들기': 'Make password',
  '{name} 계정을 새 일회용 비밀번호로 다시 엽니다.':
    'Opens the account {name} again, with a new one-time password.',
  '{name}의 지금 비밀번호는 쓸 수 없게 되고 로그인이 모두 끝납니다.':
    'The current password of {name} stops working and all sessions end.',
  '관리자를 삭제하지 못했습니다': 'The administrator was not removed',
  '관리자 삭제': 'Remove administrator',
  '{name}의 로그인이 모두 끝나고 다시 들어올 수 없습니다. 감사 기록은 남습니다.':
    'All sessions of {name} end and the account is closed. The audit list stays.',
  '확인을 위해 사용자명을 입력하세요': 'Type the username to confirm',
  '관리자를 삭제했습니다': 'Administrator removed',
  '관리자를 추가하지 못했습니다': 'The administrator was not added',
  '{name}에게 안전한 방법으로 전하세요. 지금 한 번만 보이며, 24시간 안에 로그인해 새 비밀번호로 바꿔야 합니다.':
    'Give it to {name} in a safe way. It is shown only now, and has to be changed at a login within 24 hours.',
  '비밀번호 복사': 'Copy password',
  전달했습니다: 'Done',
} as const
