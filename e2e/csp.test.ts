import { expect, test } from 'vitest'
import { createAdminClient } from './lab/admin-client.ts'
import { refusals } from './lab/admin-verbs.ts'
import { openStory, soon } from './lab/story.ts'
import { goTo, openWalletDialog, ownTickets, pressBuy, toastText, walletButton } from './lab/verbs.ts'

const admin = { username: 'lead', password: 'a-long-enough-password-9' }
const story = openStory({
  demoWallet: true,
  env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
})
const { call, login } = createAdminClient(() => story.stack.url, admin)

/** Console messages of browsers about blocked attacks. */
const attacks = [/Content Security Policy|Trusted|404|evil\.example/]

/** Markup, handlers, addresses and templates from lists of attacks: sixty in all. */
const attackTexts = ['img src=x', 'svg', 'body', 'video src=x', 'audio src=x', 'details open', 'iframe']
  .flatMap((tag) => ['onerror', 'onload', 'onfocus', 'ontoggle'].map((on) => `<${tag} ${on}=ran=1>`))
  .concat(
    ['script', 'SCRIPT', 'scr ipt', 'style', 'base', 'object', 'embed', 'math'].map(
      (tag) => `<${tag}>ran=1</${tag}>`,
    ),
    [
      'javascript:ran=1',
      'data:text/html,<script>ran=1</script>',
      'vbscript:ran=1',
      'https://evil.example',
    ].map((url) => `<a href="${url}" autofocus>x</a>`),
    ['"', "'", '`', '-->', ']]>', '</textarea>', '</title>', '</script>', '</style>', '\\u003c'].map(
      (end) => `${end}<svg/onload=ran=1>`,
    ),
    [
      '{{ran=1}}',
      `\${ran=1}`,
      '<%= ran=1 %>',
      '#{ran=1}',
      '[[ran=1]]',
      '%3Cscript%3Eran=1',
      '&lt;img onerror=ran=1&gt;',
    ],
    ['＜script＞ran=1', '<ＩＭＧ onerror=ran=1>', '>><<svg onload=ran=1>'],
  )

type Violation = { directive: string; blocked: string; sample: string }

/** Every violation of the policy from the first byte on, in all pages of the visit. */
async function watchPolicy(path = '/', allow: readonly RegExp[] = []) {
  const violations: Violation[] = []
  const visitor = await story.visit({ path: '/favicon.svg', withWallet: false, allow })
  await visitor.context.exposeBinding('reportViolation', (_, violation: Violation) => {
    violations.push(violation)
  })
  await visitor.context.addInitScript(() => {
    const report = (window as never as { reportViolation: (violation: Violation) => void }).reportViolation
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      report({ directive: effectiveDirective, blocked: blockedURI, sample }),
    )
  })
  await visitor.page.goto(story.stack.url + path)
  return { ...visitor, violations }
}

// draw.test.ts covers the draw and its check, as a violation is a console error there.
test('A8: a visit, from the first page to the bought ticket, never violates the policy', async () => {
  const { page, violations } = await watchPolicy()
  const dialog = await openWalletDialog(page)
  await dialog.getByRole('button', { name: 'Demo Wallet' }).click()
  await toastText(page, 'Wallet Connected')
  await walletButton(page).waitFor()
  await pressBuy(page, 33)
  const asks = page.getByRole('dialog', { name: 'Approve transaction' })
  await asks.getByRole('button', { name: 'Approve' }).click()
  expect(await ownTickets(page)).toBe('#1–#33')
  for (const section of ['Recent Purchases', 'Winner', 'Next Event', 'Home'] as const)
    await goTo(page, section)
  await page.getByRole('button', { name: 'Start Draw' }).click()
  const overlay = page.locator('#draw dialog')
  await overlay.getByRole('heading').first().waitFor()
  await overlay.getByRole('button', { name: 'Close' }).click()
  expect(violations).toEqual([])
})

test('A8: the administrator pages and the 404 page never violate their policy', async () => {
  const { page, violations } = await watchPolicy('/admin-login', refusals)
  await page.getByText('접근이 허용된 IP').waitFor()
  await page.getByLabel('사용자명').fill(admin.username)
  await page.getByLabel('비밀번호').fill(admin.password)
  await page.getByRole('button', { name: '로그인' }).click()
  await page.waitForURL(/\/admin(#.*)?$/)
  await page.getByRole('tab').first().waitFor()
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    await page.getByRole('tabpanel').waitFor()
  }
  await page.goto(`${story.stack.url}/nowhere`)
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
  expect(violations).toEqual([])
})

test.each([
  ['an inline script', '<script>window.ran = true</script>', 'script-src-elem'],
  ['a handler', '<img src="data:," onerror="window.ran = true">', 'script-src-attr'],
  ['a script of a stranger', '<script src="https://evil.example/x.js"></script>', 'script-src-elem'],
  ['a frame', '<iframe src="https://evil.example/"></iframe>', 'frame-src'],
  ['a style', '<style>body { display: none }</style>', 'style-src-elem'],
  ['another base', '<base href="https://evil.example/">', 'base-uri'],
])('A8: %s that gets into a page does nothing', async (_, markup, directive) => {
  const { page, context, violations } = await watchPolicy('/favicon.svg', attacks)
  for (const path of ['/', '/admin-login', '/nowhere']) {
    violations.length = 0
    await context.route(`${story.stack.url}${path}`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/<body[^>]*>/, (found) => found + markup)
      await route.fulfill({ response: answer, body })
    })
    await page.goto(story.stack.url + path)
    await soon(async () => violations.map((violation) => violation.directive)).toEqual([directive])
    expect(await page.evaluate(() => (window as { ran?: boolean }).ran)).toBeUndefined()
    expect(await page.locator('body').isVisible()).toBe(true)
  }
})

test('A8: sixty attacks in what is said of an event stay text in every published page', async () => {
  await login()
  const parts = [0, 20, 40, 60].map((from) =>
    attackTexts
      .slice(from, from + 20)
      .join('\n')
      .slice(0, 1_000),
  )
  for (const part of parts.filter(Boolean)) {
    const saved = await call('POST', '/api/admin/raffle/corrections', { text: { en: part, ko: part } })
    expect([saved.status, saved.body.field]).toEqual([200, undefined])
  }
  for (const path of ['/', '/ko/', '/e/1/', '/ko/e/1/']) {
    const source = async () => (await fetch(story.stack.url + path)).text()
    await soon(async () => (await source()).includes('#{ran=1}')).toBe(true)
    const { page, violations } = await watchPolicy(path)
    await page.locator('[data-slot=corrections] li').last().waitFor({ state: 'attached' })
    const inside = await page.evaluate(() => ({
      elements: [...document.querySelectorAll('[data-slot=corrections] *')].map(({ localName }) => localName),
      text: document.querySelector('[data-slot=corrections]')?.textContent ?? '',
      ran: (window as { ran?: unknown }).ran,
    }))
    expect([...new Set(inside.elements)].sort()).toEqual(['li', 'p', 'time'])
    expect(inside.text).toContain('<svg onload=ran=1>')
    expect([path, inside.ran, violations]).toEqual([path, undefined, []])
  }
})

test('A8: sixty attacks saved as texts of the next event stay text on every page', async () => {
  await login()
  const prizeDescription = attackTexts.join('\n')
  for (const prizeValue of ['<img src=x onerror=ran=1>', '"><svg onload=ran=1>']) {
    const saved = await call('POST', '/api/admin/event/settings', { prizeValue, prizeDescription })
    expect(saved.status).toBe(200)
  }
  for (const path of ['/#next', '/ko/#next', '/admin#event']) {
    const { page, violations } = await watchPolicy('/favicon.svg', refusals)
    const token = await login()
    await page.evaluate((value) => localStorage.setItem('adminToken', value), token)
    await page.goto(`${story.stack.url}${path}`)
    const shown = () =>
      page.evaluate(() => {
        const fields = [...document.querySelectorAll<HTMLTextAreaElement>('textarea, input')]
        return [document.body.innerText, ...fields.map(({ value }) => value)].join('\n')
      })
    await soon(shown).toContain(attackTexts.at(-1))
    const text = await shown()
    expect(attackTexts.filter((attack) => !text.includes(attack))).toEqual([])
    expect(await page.evaluate(() => (window as { ran?: unknown }).ran)).toBeUndefined()
    expect(violations).toEqual([])
  }
})

test('A8: a text does not become elements or code in a running page', async () => {
  const { page, violations } = await watchPolicy('/', attacks)
  const attempts = {
    elements: () => document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="ran = true">'),
    script: () => void Object.assign(document.createElement('script'), { text: 'window.ran = true' }),
    file: () => document.createElement('script').setAttribute('src', 'https://evil.example/x.js'),
    handler: () => document.body.setAttribute('onclick', 'window.ran = true'),
    address: () => location.assign('javascript:window.ran = true'),
    // Called by the page itself, as code from a debugger may do more.
    code: () => void setTimeout(() => new Function('window.ran = true')()),
  }
  for (const [index, attempt] of Object.values(attempts).entries()) {
    await page.evaluate(attempt).catch(() => undefined)
    await soon(async () => violations.length).toBe(index + 1)
  }
  expect(await page.evaluate(() => (window as { ran?: boolean }).ran)).toBeUndefined()
})

test('before a visitor acts, only our own server gets requests', async () => {
  const { page, context } = await story.visit({ path: '/favicon.svg', withWallet: false })
  const asked = new Set<string>()
  context.on('request', (request) => asked.add(new URL(request.url()).origin))
  for (const path of ['/', '/#buy', '/#recent', '/#winner', '/#next', '/admin-login']) {
    await page.goto(story.stack.url + path)
    await page.reload()
    await page.evaluate(() => document.fonts.ready)
    await page.mouse.wheel(0, 20_000)
  }
  expect([...asked]).toEqual([new URL(story.stack.url).origin])
})
