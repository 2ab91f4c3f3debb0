import account from '../../messages/en/admin/account.json'
import charts from '../../messages/en/admin/charts.json'
import common from '../../messages/en/admin/common.json'
import content from '../../messages/en/admin/content.json'
import draw from '../../messages/en/admin/draw.json'
import event from '../../messages/en/admin/event.json'
import exports from '../../messages/en/admin/exports.json'
import frame from '../../messages/en/admin/frame.json'
import history from '../../messages/en/admin/history.json'
import house from '../../messages/en/admin/house.json'
import login from '../../messages/en/admin/login.json'
import nextEvent from '../../messages/en/admin/next-event.json'
import notify from '../../messages/en/admin/notify.json'
import passkeys from '../../messages/en/admin/passkeys.json'
import payments from '../../messages/en/admin/payments.json'
import preview from '../../messages/en/admin/preview.json'
import prize from '../../messages/en/admin/prize.json'
import refund from '../../messages/en/admin/refund.json'
import roles from '../../messages/en/admin/roles.json'
import sales from '../../messages/en/admin/sales.json'
import security from '../../messages/en/admin/security.json'
import setup from '../../messages/en/admin/setup.json'
import solvency from '../../messages/en/admin/solvency.json'

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
}
