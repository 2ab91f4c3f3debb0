/** Login, account, second factor, uploads, notification channels, downloads. */
export const access = {
  '이미 이 권한을 가진 관리자입니다.': 'This administrator has that role already.',
  '이미 삭제된 관리자입니다.': 'This administrator was removed already.',
  '해당 관리자가 없습니다.': 'There is no such administrator.',
  '패스키를 확인하지 못했습니다. 다시 시도하세요.': 'The passkey was not recognised. Try again.',
  '해당 패스키가 없습니다.': 'There is no such passkey.',
  '패스키는 {most}개까지 등록할 수 있습니다.': 'You can register up to {most} passkeys.',
  '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.': 'Too many requests. Try again in a moment.',
  '먼저 OTP 설정을 시작해주세요.': 'Begin the setup of the second factor first.',
  '잘못된 인증 코드입니다. 다시 시도하세요.': 'Wrong code. Try again.',
  '보안을 위해 비밀번호를 다시 입력해주세요.': 'Enter your password again, for security.',
  '인증이 필요합니다. 다시 로그인해주세요.': 'You need to log in again.',
  '일회용 비밀번호로 로그인했습니다. 먼저 새 비밀번호로 바꿔주세요.':
    'You logged in with a one-time password. Choose a new one first.',
  '일회용 비밀번호와 다른 새 비밀번호를 입력해주세요.':
    'Enter a new password that differs from the one-time password.',
  '일회용 비밀번호의 유효 시간(24시간)이 지났습니다. 서버에서 admin reset-password 명령으로 새로 만드세요.':
    'The one-time password was valid for 24 hours and has expired. Make a new one on the server with the command admin reset-password.',
  '먼저 2단계 인증(OTP)을 설정해주세요.': 'Set up the second factor (OTP) first.',
  '먼저 OTP를 설정하고 인증 코드로 확인해주세요.':
    'Set up the second factor first and confirm it with a code.',
  '허용되지 않은 IP 주소입니다.': 'This IP address is not allowed.',
  '사용자명 또는 비밀번호가 올바르지 않습니다.': 'Wrong username or password.',
  '현재 비밀번호가 올바르지 않습니다.': 'The current password is wrong.',
  '2차 인증 코드를 입력하세요.': 'Enter the code of your second factor.',
  '로그인 시도가 너무 많습니다. 잠시 후 다시 시도해주세요.':
    'Too many login attempts. Try again in a moment.',
  '다른 관리자가 먼저 보안 설정을 바꿨습니다. 새 값을 확인한 뒤 다시 저장해주세요.':
    'Another administrator changed the security settings first. Check the new values, then save again.',
  '현재 IP({address})가 목록에 없어 저장하면 접속이 차단됩니다.':
    'Your current IP ({address}) is not in the list: saving it would lock you out.',
  '이미 끝난 세션입니다.': 'This session has already ended.',
  '올리기가 끝나지 않은 이미지입니다. 이미지를 다시 올려주세요.':
    'The upload of this image was not finished. Upload it again.',
  '저장된 이미지와 다릅니다.': 'Differs from the stored image.',
  '업로드가 몰리고 있습니다. 잠시 후 다시 시도해주세요.':
    'Many uploads are under way. Try again in a moment.',
  '이미지 내용이 {type} 형식이 아닙니다.': 'The image is not of the type {type}.',
  '올바른 JPG 또는 PNG 이미지가 아닙니다.': 'This is not a valid JPG or PNG image.',
  '정리한 이미지가 5MB를 초과합니다. 더 작은 이미지를 사용해주세요.':
    'The processed image is larger than 5 MB. Use a smaller one.',
  '이미지는 4천만 화소 이하여야 합니다.': 'An image may have at most 40 million pixels.',
  '이미지는 5MB 이하여야 합니다.': 'An image may have at most 5 MB.',
  'JPG 또는 PNG 이미지만 업로드할 수 있습니다.': 'Only JPG and PNG images can be uploaded.',
  '하루 업로드 한도를 초과했습니다.': 'The limit of uploads a day is reached.',
  '이미 사용된 업로드 주소입니다. 다시 시도해주세요.': 'This upload address was used before. Try again.',
  '파일 크기(Content-Length)가 필요합니다.': 'The size of the file (Content-Length) is needed.',
  '서명된 파일 형식과 다릅니다.': 'The type of the file is not the one that was signed.',
  '서명된 파일 크기와 다릅니다.': 'The size of the file is not the one that was signed.',
  '업로드 주소의 서명이 올바르지 않습니다.': 'The signature of the upload address is wrong.',
  '업로드 주소가 만료되었습니다. 다시 시도해주세요.': 'The upload address has expired. Try again.',
  '다른 다운로드를 준비하고 있습니다. 잠시 후 다시 시도해주세요.':
    'Another download is being prepared. Try again in a moment.',
  '해당 알림 채널이 없습니다.': 'There is no such notification channel.',
  '채널은 {most}개까지 만들 수 있습니다.': 'There can be at most {most} channels.',
  '읽기 전용 계정으로는 할 수 없는 작업입니다.': 'A read-only account cannot do this.',
  '마지막 전체 권한 관리자입니다. 비밀번호를 직접 정한 다른 전체 권한 관리자가 먼저 있어야 합니다.':
    'The last full administrator. First there has to be another one who has chosen a password.',
  '먼저 보안 탭에서 2단계 인증(OTP) 또는 패스키를 설정해주세요.':
    'First set up a second factor (OTP) or a passkey under System settings.',
  '이 사이트의 관리자 페이지에서 로그인해주세요.': "Log in on this site's own administrator page.",
} as const
