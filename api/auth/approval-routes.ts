import { Elysia } from 'elysia'
import { secondRole } from '../../core/admin/second-person.ts'
import { getAdmin } from '../../db/admin/admins.ts'
import { approve, closeApproval, countVoices, listApprovals, lockApproval } from '../../db/admin/approvals.ts'
import type { Db } from '../../db/index.ts'
import type { Deps } from '../deps.ts'
import { approvalInPath, approvalList, closedApproval, givenApproval } from './approval-schema.ts'
import { type AdminGuard, expectRole } from './guard.ts'

/** What waits for a second administrator, and his word on it. */
export const approvalRoutes = ({ admin: { twoPerson = false } }: Pick<Deps, 'admin'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/approvals' })
    .get(
      '',
      ...guard.read(
        {
          about: 'What waits for the word of a second administrator',
          answer: approvalList,
          background: true,
        },
        async ({ db, admin }) => ({
          isOn: twoPerson,
          ...(await countVoices(db)),
          approvals: (await listApprovals(db)).map(({ askedById, request, ...one }) => ({
            ...one,
            askedAt: one.askedAt.toISOString(),
            endsAt: one.endsAt.toISOString(),
            approvedAt: one.approvedAt?.toISOString() ?? null,
            isOwn: askedById === admin.id,
            neededRole: secondRole(one.action),
            request: askedById === admin.id ? request : null,
          })),
        }),
      ),
    )
    .post(
      '/:id/approve',
      ...guard.action(
        'approval.approve',
        {
          about: 'Allows what another administrator has asked for, once',
          params: approvalInPath,
          answer: givenApproval,
          refusals: ['NOT_FOUND', 'OWN_REQUEST', 'ALREADY_PROCESSED'],
          fresh: true,
        },
        async ({ db, params: { id }, admin, record }) => {
          const found = await approve(db, id, admin.id)
          expectRole(admin, secondRole(found.action))
          record({ after: await described(db, found) })
          return { id, approvedBy: admin.username }
        },
      ),
    )
    .post(
      '/:id/refuse',
      ...guard.action(
        'approval.close',
        {
          about: 'Refuses it, or withdraws what the caller has asked for himself',
          more: 'Who may not give the word may not refuse it either.',
          params: approvalInPath,
          answer: closedApproval,
          refusals: ['NOT_FOUND'],
        },
        async ({ db, params: { id }, admin, record }) => {
          const found = await lockApproval(db, id)
          const closed = found.askedBy === admin.id ? ('withdrawn' as const) : ('refused' as const)
          // Else an operator could refuse his own removal as often as it is asked for.
          if (closed === 'refused') expectRole(admin, secondRole(found.action))
          await closeApproval(db, id, { by: admin.id, as: closed })
          record({ after: { ...(await described(db, found)), closed } })
          return { id, closed }
        },
      ),
    )

type Found = Awaited<ReturnType<typeof lockApproval>>

async function described(db: Db, { id, action, askedBy, payloadSha256 }: Found) {
  return { approval: id, asked: action, askedBy: (await getAdmin(db, askedBy))?.username, payloadSha256 }
}
