import { account } from './account.ts'
import { charts } from './charts.ts'
import { common } from './common.ts'
import { content } from './content.ts'
import { draw } from './draw.ts'
import { event } from './event.ts'
import { exports } from './exports.ts'
import { frame } from './frame.ts'
import { history } from './history.ts'
import { house } from './house.ts'
import { login } from './login.ts'
import { nextEvent } from './next-event.ts'
import { notify } from './notify.ts'
import { passkeys } from './passkeys.ts'
import { payments } from './payments.ts'
import { preview } from './preview.ts'
import { prize } from './prize.ts'
import { refund } from './refund.ts'
import { roles } from './roles.ts'
import { sales } from './sales.ts'
import { security } from './security.ts'
import { setup } from './setup.ts'
import { solvency } from './solvency.ts'

/** Every text of the administrator area: Korean, as it stands in the source, to English. */
export const english = {
  ...account,
  ...charts,
  ...common,
  ...content,
  ...draw,
  ...event,
  ...exports,
  ...frame,
  ...history,
  ...house,
  ...login,
  ...nextEvent,
  ...notify,
  ...passkeys,
  ...payments,
  ...preview,
  ...prize,
  ...refund,
  ...roles,
  ...sales,
  ...security,
  ...setup,
  ...solvency,
} as const
