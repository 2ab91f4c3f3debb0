import { admin } from './admin-api.ts'

/** Sends waves of logins at once, each from an address of its own, for some seconds: `URL COUNT SECONDS`. */
const [url = '', count = '200', seconds = '3'] = process.argv.slice(2)
const end = Date.now() + Number(seconds) * 1000
const seen = { sent: 0, in: 0, refused: 0, other: 0 }
for (let wave = 0; Date.now() < end; wave++) {
  const answers = Array.from({ length: Number(count) }, async (_, i) => {
    const response = await fetch(`${url}/api/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${wave % 250}.${i}.1` },
      body: JSON.stringify(admin),
    })
    await response.text()
    return response.status
  })
  for (const status of await Promise.all(answers)) {
    seen.sent++
    seen[status === 200 ? 'in' : status === 429 ? 'refused' : 'other']++
  }
}
console.log(JSON.stringify(seen))
