import { test } from 'vitest'
import { admin, arrive, fillLogin, refusals } from '../lab/admin-verbs.ts'
import { openStory } from '../lab/story.ts'
import { changePassword, enrol, leaveAndReturn } from './operator-week/account.ts'
import { guardAddresses } from './operator-week/addresses.ts'
import { anchorAndDraw } from './operator-week/draw.ts'
import { openNextEvent, tellPrize } from './operator-week/next-event.ts'
import { addRefundWallet } from './operator-week/refund-wallet.ts'
import { watchSales } from './operator-week/sales.ts'
import { setEvent } from './operator-week/settings.ts'

const story = openStory({
  env: {
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    SALE_LEAD_SECONDS: '10',
    AUTO_DRAW: 'false',
  },
})
const known = (path: string) => fetch(`${story.stack.url}/api${path}`).then((answer) => answer.json())

test('an operator’s week, from the first login to the last logout', async () => {
  const operator = 0
  const { page } = await story.visit({ path: '/admin-login', allow: refusals, account: operator })
  await fillLogin(page)
  await arrive(page)
  const week = { page, story, known }

  const nextCode = await enrol(week)
  await setEvent(week)
  await addRefundWallet(week)
  await tellPrize(week)
  await watchSales(week)
  await guardAddresses(week)
  await anchorAndDraw(week, nextCode)
  await openNextEvent(week)
  await changePassword(week)
  await leaveAndReturn(week, nextCode)
})
