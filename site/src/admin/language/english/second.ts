/** The word of a second administrator. */
export const second = {
  '두 번째 확인': 'Second person',
  '다른 관리자의 확인을 요청했습니다': 'Another administrator was asked',
  '두 번째 확인 거절 또는 철회': 'Second person: refused or withdrawn',
  '다른 관리자의 확인이 필요합니다. 요청을 저장했습니다. 확인을 받으면 화면 위의 두 번째 확인에서 실행하세요.':
    'Another administrator has to approve this. Your request was saved: once it is approved, carry it out under Second person at the top.',
  '자신의 요청은 다른 관리자가 확인해야 합니다.':
    'Your own request has to be approved by another administrator.',
  '확인하지 못했습니다': 'Not approved',
  '{name}의 요청을 실행하게 합니다. 한 번만 쓸 수 있습니다.': 'Lets {name} carry this out, once.',
  확인했습니다: 'Approved',
  '이제 {name}이(가) 실행할 수 있습니다.': '{name} can carry it out now.',
  '요청을 끝내지 못했습니다': 'The request was not closed',
  '실행하지 못했습니다': 'Not carried out',
  실행했습니다: 'Carried out',
  '한 사람이 요청하고 다른 사람이 확인한 뒤, 요청한 사람이 24시간 안에 실행합니다.':
    'One person asks, another approves, and who asked carries it out within 24 hours.',
  '두 번째 확인(TWO_PERSON)이 켜져 있습니다.': 'A second person has to approve (TWO_PERSON).',
  '확인할 다른 관리자가 없어 지갑, 환불, 관리자를 바꿀 수 없습니다. 시스템 설정에서 소유자를 추가하세요.':
    'Nobody else can, so wallet, refunds and administrators cannot be changed. Add an owner under System settings.',
  '다른 소유자가 없어 지갑과 관리자를 바꿀 수 없습니다. 서버에서 bun run admin create로 추가하세요.':
    'There is no other owner, so wallet and administrators cannot be changed. Add one on the server with bun run admin create.',
  '{name} 요청, {since} UTC부터 {until} UTC까지': 'Asked by {name}, from {since} to {until} UTC',
  '다른 관리자가 확인하면 여기에 실행 버튼이 나타납니다.':
    'Once another administrator has approved, a button to carry it out appears here.',
  '{role} 이상만 확인할 수 있습니다.': 'Needs the role {role} or above to approve.',
  '{name} 확인': 'Approved by {name}',
  '확인 대기': 'Waiting',
  거절: 'Refuse',
  철회: 'Withdraw',
  실행: 'Carry out',
  '확인 요청': 'Request',
  '요청한 작업': 'Asked for',
  '요청한 관리자': 'Asked by',
  '끝난 방식': 'Ended as',
  '요청의 SHA-256': 'SHA-256 of the request',
  메모: 'Note',
} as const
