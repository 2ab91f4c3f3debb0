import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asBuilt, noBranding, themeCss, themeName } from '../../core/house/branding.ts'
import { type AdminApi, openAdminApi } from '../../e2e/lab/admin-api.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'

const path = '/api/admin/branding'
const strangeWallet = `0x${'9'.repeat(40)}`

/** Marked places as the built pages have them. */
const places = `<title data-slot="page-title">Built</title><link data-slot-href="theme-href" data-slot-rel="theme-rel">
<a data-slot-aria-label="brand-home" aria-label="Built, home"><span data-slot-if="brand-drawn"><b data-slot="brand-name">Built</b></span><i data-slot="brand-logo" data-slot-if="brand-logo" hidden></i></a>
<a data-slot-href="support-href" data-slot="support-email" href="mailto:built@x.example">built@x.example</a>
<a data-slot-href="social-href" data-slot="social-name" href="https://built.example">Built</a><a data-slot-href="shop-href" href="https://built.example">Shop</a>
<p data-slot="copyright">Built</p>`

function smallSite(): string {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-branding-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  for (const name of ['.', 'ko', '_event', 'terms', 'privacy', 'ko/terms', 'ko/privacy'])
    mkdirSync(join(dir, name), { recursive: true })
  const home = `<head><title data-slot="head-title">Built</title><meta property="og:site_name" content="Built" data-slot-content="brand-name"></head>${places}`
  for (const name of ['index.html', 'ko/index.html', '_event/en.html', '_event/ko.html', '404.html'])
    writeFileSync(join(dir, name), home)
  for (const name of ['terms', 'privacy', 'ko/terms', 'ko/privacy'])
    writeFileSync(join(dir, name, 'index.html'), places)
  return dir
}

async function openHouse() {
  const clock = handClock()
  const opened: AdminApi = await openAdminApi({ siteDir: smallSite(), clock })
  onTestFinished(opened.close)
  const admin = opened.as(await opened.login())
  return {
    ...opened,
    admin,
    save: async (body: object) => {
      const answer = await admin('PATCH', path, body)
      await opened.deps.state.refresh()
      clock.advance(2_000)
      return answer
    },
    page: async (address: string) => (await opened.send('GET', address)).text(),
  }
}

test('without a word of the operator everything is as it was built', async () => {
  const house = await openHouse()
  expect((await house.admin('GET', path)).body).toEqual({ ...asBuilt, version: expect.any(String) })
  expect((await house.call('GET', '/api/raffle/config')).body.branding).toEqual(noBranding)
  expect((await house.send('GET', '/theme.css')).status).toBe(404)
  const html = await house.page('/terms/')
  expect(html).toContain('support@blockdraw.example')
  expect(html).not.toMatch(/rel="stylesheet"|theme\.css/)
})

test('what is saved is on every page, in the head, in the audit list, and in what devices keep', async () => {
  const house = await openHouse()
  const saved = await house.save({
    ...{ name: ' Lucky & <b>Co</b> ', accent: '#22C55E', supportEmail: 'help@lucky.example' },
    ...{
      socialUrl: 'https://social.example/lucky',
      socialName: 'Chat',
      shopUrl: 'https://shop.lucky.example',
    },
    copyright: '© 2031 Lucky',
  })
  expect(saved).toMatchObject({ status: 200, body: { name: 'Lucky & <b>Co</b>', accent: '#22c55e' } })
  const name = 'Lucky &amp; &lt;b&gt;Co&lt;/b&gt;'
  for (const address of ['/', '/ko/', '/e/1/', '/terms/', '/ko/privacy/']) {
    const html = await house.page(address)
    for (const text of [
      `data-slot="brand-name">${name}<`,
      'href="mailto:help@lucky.example">help@lucky.example<',
      'href="https://social.example/lucky">Chat<',
      'href="https://shop.lucky.example"',
      '>© 2031 Lucky<',
      `href="/theme.css?v=${themeName('#22c55e')}"`,
      'rel="stylesheet"',
    ])
      expect([address, html]).toEqual([address, expect.stringContaining(text)])
    expect(html.replace(/="[^"]*"/g, '')).not.toContain('<b>Co')
  }
  const home = await house.page('/')
  expect(home).toContain(`<title data-slot="head-title">${name}: `)
  expect(home).toContain('aria-label="Lucky & <b>Co</b>, home"')
  expect(await house.page('/ko/terms/')).toContain('이용약관 · Lucky')
  const { body: audit } = await house.admin('GET', '/api/admin/audit')
  expect(audit[0]).toMatchObject({
    action: 'house.branding',
    before: { name: null, accent: null },
    after: { name: 'Lucky & <b>Co</b>', accent: '#22c55e' },
  })
  const { rp } = (await house.admin('POST', '/api/admin/passkeys/options')).body
  expect(rp.name).toBe('Lucky & <b>Co</b>')
  // Null is as built again.
  await house.save({ name: null, accent: null })
  expect(await house.page('/')).not.toMatch(/Lucky &|rel="stylesheet"/)
})

test('the accent colour is a style sheet, kept for good under its hash', async () => {
  const house = await openHouse()
  await house.save({ accent: '#22c55e' })
  const named = await house.send('GET', `/theme.css?v=${themeName('#22c55e')}`)
  expect(await named.text()).toBe(themeCss('#22c55e'))
  expect(Object.fromEntries(named.headers)).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  for (const query of ['', '?v=0123456789abcdef'])
    expect((await house.send('GET', `/theme.css${query}`)).headers.get('cache-control')).toContain(
      'max-age=0',
    )
  const ifNoneMatch = { 'if-none-match': named.headers.get('etag') ?? '' }
  expect((await house.send('GET', '/theme.css', { headers: ifNoneMatch })).status).toBe(304)
})

test('a logo is an image that was uploaded here, and stands in place of the drawn mark', async () => {
  const house = await openHouse()
  const bytes = await new Bun.Image(bitmap).png().bytes()
  const { body } = await house.admin('POST', '/api/admin/upload/image', {
    contentType: 'image/png',
    size: bytes.length,
  })
  const address = body.uploadURL.replace('http://localhost', '')
  const key = address.split('?')[0].split('/').at(-1)
  expect(await house.save({ logo: key })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_VALUE', field: 'logo' },
  })
  const headers = { 'content-type': 'image/png', 'content-length': `${bytes.length}` }
  expect((await house.call('PUT', address, { body: bytes, headers })).status).toBe(200)
  expect(await house.save({ logo: key })).toMatchObject({
    status: 200,
    body: { logo: { key, width: 2, height: 1 } },
  })
  const html = await house.page('/')
  expect(html).toContain(
    `<img class="mark-logo" src="/api/uploads/${key}" width="2" height="1" alt="Blockdraw">`,
  )
  expect(html).toMatch(/data-slot-if="brand-drawn" hidden/)
  for (const logo of ['x.png', '../../etc/passwd', 'https://evil.example/a.png'])
    expect(await house.save({ logo })).toMatchObject({ status: 422, body: { field: 'logo' } })
})

test('what no page may say is refused, and changes nothing', async () => {
  const house = await openHouse()
  const bad: [object, string][] = [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ copyright: `Pay ${strangeWallet}` }, 'copyright'],
    [{ shopUrl: `https://shop.example/${strangeWallet}` }, 'shopUrl'],
    [{ supportEmail: 'a@b.cd?bcc=x@y.zz' }, 'supportEmail'],
    [{ socialUrl: 'http://social.example' }, 'socialUrl'],
    [{ shopUrl: 'javascript:alert(1)' }, 'shopUrl'],
    [{ accent: 'red' }, 'accent'],
    [{ accent: '#fff' }, 'accent'],
  ]
  for (const [body, field] of bad)
    expect([body, await house.save(body)]).toEqual([
      body,
      expect.objectContaining({ status: 422, body: expect.objectContaining({ field }) }),
    ])
  expect((await house.save({ accent: '#000000' })).body).toMatchObject({
    ...{ code: 'INVALID_VALUE', field: 'accent' },
    message: expect.stringContaining('더 밝은 색'),
    values: { reason: 'accentDark', contrast: '1.2', least: 4.5 },
  })
  expect((await house.save({ accent: '#ffffff' })).body.message).toContain('더 어두운 색')
  expect(await house.save({})).toMatchObject({ status: 422, body: { code: 'NO_CHANGES' } })
  expect((await house.admin('GET', path)).body).toMatchObject(asBuilt)
})

test('a form that was filled before another one was saved is told so, and a read-only administrator saves nothing', async () => {
  const house = await openHouse()
  const { version } = (await house.admin('GET', path)).body
  expect((await house.save({ name: 'One', version })).status).toBe(200)
  expect(await house.save({ name: 'Two', version })).toMatchObject({
    status: 409,
    body: { code: 'VERSION_CONFLICT' },
  })
  await house.addAdmin('reader', 'another horse battery', true)
  const reader = house.as(await house.login({ username: 'reader', password: 'another horse battery' }))
  expect((await reader('GET', path)).body.name).toBe('One')
  expect(await reader('PATCH', path, { name: 'Two' })).toMatchObject({
    status: 403,
    body: { code: 'READ_ONLY' },
  })
})

/** Two dots beside each other. */
const bitmap = Buffer.from(
  '424d3e000000000000003600000028000000020000000100000001001800000000000800000000000000000000000000000000000000ff000000ff000000',
  'hex',
)
