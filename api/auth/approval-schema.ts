import { Type as t } from '@sinclair/typebox'
import { adminRoles } from '../../core/admin/roles.ts'
import { answer, listed, moment, whole as number, orNull } from '../http/answers.ts'
import { read, refusal } from '../http/schema.ts'

export const approvalInPath = t.Object({
  id: read(
    t.String({
      pattern: '^[1-9]\\d{0,14}$',
      ...refusal('NOT_FOUND', '이미 끝났거나 없는 확인 요청입니다.'),
    }),
    Number,
  ),
})

const approval = answer(
  {
    id: number(),
    action: t.String(),
    eventNumber: orNull(number('The event that was open.')),
    before: t.Unknown(),
    after: t.Unknown(),
    askedBy: t.String(),
    askedAt: moment(),
    endsAt: moment(),
    approvedBy: orNull(t.String()),
    approvedAt: orNull(moment()),
    isOwn: t.Boolean({ description: 'Asked for by the caller, who cannot give the word.' }),
    neededRole: listed(adminRoles),
    request: orNull(answer({ method: t.String(), path: t.String(), body: t.Optional(t.Unknown()) })),
  },
  { $id: 'Approval' },
)
export const approvalList = answer({
  isOn: t.Boolean({ description: 'TWO_PERSON.' }),
  owners: number('Who could ask or give any word.'),
  operators: number('Who could ask or give a word that is not the owners’ alone.'),
  approvals: t.Array(approval, {
    description: 'Open ones, oldest first; `request` is there for who asked.',
  }),
})
export const closedApproval = answer({ id: number(), closed: listed(['refused', 'withdrawn']) })
export const givenApproval = answer({ id: number(), approvedBy: t.String() })
