/** Passkeys. */
export const passkeys = {
  '이 브라우저에서는 패스키를 쓸 수 없습니다.': 'This browser cannot use passkeys.',
  '이 기기의 패스키는 이미 등록되어 있습니다.': 'The passkey of this device is registered already.',
  '이 주소에서는 패스키를 쓸 수 없습니다. 사이트의 도메인으로 접속하세요.':
    'Passkeys do not work at this address. Open the site by its domain.',
  '패스키 확인이 취소되었거나 시간이 지났습니다.': 'The passkey was cancelled or took too long.',
  '패스키로 확인': 'Use a passkey',
  패스키: 'Passkeys',
  '인증 앱의 코드 대신 기기의 지문, 얼굴 또는 PIN으로 확인합니다. 가짜 사이트에서는 쓸 수 없어 더 안전합니다.':
    'Your device confirms with a finger, face or PIN in place of a code. A fake site cannot use it, so it is safer.',
  '등록한 패스키가 없습니다.': 'No passkey is registered.',
  '패스키를 등록하지 못했습니다': 'The passkey was not registered',
  '패스키를 등록했습니다': 'Passkey registered',
  '기기를 알아볼 이름을 입력하세요.': 'Enter a name that tells the device.',
  '새 패스키 이름': 'Name of a new passkey',
  '기기마다 하나씩, 예비 기기까지 등록해 두세요.': 'Register one for each device, and a spare one.',
  '회사 노트북': 'Office laptop',
  '패스키 등록': 'Register passkey',
  '패스키를 삭제하지 못했습니다': 'The passkey was not removed',
  '패스키 삭제': 'Remove passkey',
  '{name}: 이 기기로는 더 이상 로그인을 확인할 수 없습니다. 다른 기기의 로그인은 끝납니다.':
    '{name} can no longer confirm a login. Sessions on other devices end.',
  '패스키를 삭제했습니다': 'Passkey removed',
  '아직 쓰지 않음': 'not used yet',
  '{name} 삭제': 'Remove {name}',
  '패스키로 로그인을 확인하거나 코드를 입력하세요.': 'Confirm the login with a passkey, or enter a code.',
  '패스키로 로그인을 확인하세요.': 'Confirm the login with a passkey.',
  등록: 'Added',
} as const
