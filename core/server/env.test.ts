import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { register, usdtOnBsc } from '../chain/register.ts'
import { drandRelays } from '../draw/beacon.ts'
import { EnvError, parseEnv } from './env.ts'

test('an empty environment has the defaults of .env.example', () => {
  expect(parseEnv({})).toMatchObject({
    dataDir: '.data',
    sitePort: 4321,
    apiPort: 3000,
    rpcPort: 8545,
    metricsPort: 9464,
    listenHost: '127.0.0.1',
    chainId: 56,
    usdtAddress: usdtOnBsc,
    ticketPrice: 3n * 10n ** 18n,
    saleLeadSeconds: 86_400,
    autoDraw: true,
    refundMinUnits: 10n ** 17n,
    rpcUrls: [],
    rpcUnsafe: false,
    entropy: 'blocks',
    drandUrls: drandRelays,
    formHosts: ['docs.google.com', 'forms.gle'],
  })
  expect(parseEnv({}).secretKeyOld).toBeUndefined()
})

test('blank values count as not set, lists are split, and prices keep their cents', () => {
  const env = parseEnv({ DATABASE_URL: ' ', RPC_URLS: 'http://a:1, https://b', TICKET_PRICE_USDT: '2.50' })
  expect(env.databaseUrl).toBeUndefined()
  expect(env.rpcUrls).toEqual(['http://a:1', 'https://b'])
  expect(env.ticketPrice).toBe(25n * 10n ** 17n)
})

test('A4: proxies are told apart by commas, or by spaces as in CDN_PROXIES', () => {
  const trusted = (TRUSTED_PROXIES: string) => parseEnv({ TRUSTED_PROXIES }).trustedProxies
  expect(trusted('10.0.0.0/8,192.0.2.0/24 2001:db8::/32')).toEqual([
    '10.0.0.0/8',
    '192.0.2.0/24',
    '2001:db8::/32',
  ])
  expect(trusted('10.0.0.0/8, ')).toEqual(['10.0.0.0/8'])
})

test('relays of the beacon are the built-in ones, those that are named, or none', () => {
  expect(parseEnv({ DRAND_URLS: ' ' }).drandUrls).toEqual(drandRelays)
  expect(parseEnv({ DRAND_URLS: 'https://a, http://b:1' }).drandUrls).toEqual(['https://a', 'http://b:1'])
  expect(parseEnv({ DRAND_URLS: 'none' }).drandUrls).toEqual([])
})

test('an operator wallet that nobody holds stops the start', () => {
  for (const OPERATOR_WALLET of [usdtOnBsc, usdtOnBsc.toLowerCase(), `0x${'0'.repeat(40)}`])
    expect(() => parseEnv({ OPERATOR_WALLET })).toThrow(/^OPERATOR_WALLET must be a wallet that you hold/)
})

test.each([
  ['CLAIM_DAYS', '6'],
  ['CLAIM_DAYS', '91'],
  ['ENTROPY', 'drand'],
  ['DRAND_URLS', 'ftp://relay.example'],
  ['SITE_PORT', '0'],
  ['SITE_PORT', '65536'],
  ['API_PORT', 'abc'],
  ['RPC_PORT', '1.5'],
  ['METRICS_PORT', '-1'],
  ['CHAIN_ID', '0x38'],
  ['SALE_LEAD_SECONDS', '9'],
  ['TICKET_PRICE_USDT', '0'],
  ['TICKET_PRICE_USDT', '3.001'],
  ['TICKET_PRICE_USDT', '-3'],
  ['REFUND_MIN_USDT', 'lots'],
  ['DATABASE_URL', 'mysql://x'],
  ['REDIS_URL', 'localhost:6379'],
  ['RPC_URLS', 'http://a,ftp://b'],
  ['RPC_URLS', 'https://a,wss://b'],
  ['RPC_UNSAFE', 'yes'],
  ['PUBLIC_API_URL', 'api.example'],
  ['PUBLIC_SITE_URL', 'raffle.example'],
  ['PUBLIC_RPC_URLS', 'wss://node'],
  ['STORAGE_URL', '/var/uploads'],
  ['ALLOWED_ORIGINS', '*'],
  ['USDT_ADDRESS', '0x55d398'],
  // A wrong checksum is a mistyped wallet: all the money would go there.
  ['OPERATOR_WALLET', '0x4F2a91C6e3B80dA75518fE2c07b4D9a36E1E77Bd'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8 10.0.0.0/33'],
  ['LISTEN_HOST', 'localhost'],
  ['SECRET_KEY', 'short'],
  ['SECRET_KEY', 'a'.repeat(32)],
  ['SECRET_KEY', '1234567890'.repeat(4)],
  ['COUNTRY_HEADER', 'cf-ipcountry: KR'],
  ['COUNTRY_HEADER', 'cf_ipcountry'],
  ['FORM_HOSTS', 'https://forms.gle'],
  ['FORM_HOSTS', 'forms.gle,*.google.com'],
  ['FORM_HOSTS', 'forms.gle:8443'],
  ['ANCHOR_KEY', `0x${'ab'.repeat(31)}`],
  ['ANCHOR_KEY', `0x${'0'.repeat(64)}`],
  ['ANCHOR_KEY', 'f'.repeat(66)],
  ['ADMIN_PASSWORD', 'short'],
  ['AUTO_DRAW', 'yes'],
  ['AUTO_DRAW', 'constructor'],
  ['SALES_PAUSED', '1'],
  ['WORKER_QUEUES', 'verify,paint'],
  ['LOG_LEVEL', 'loud'],
])('V3: %s=%s stops the start and is named', (variable, value) => {
  expect(() => parseEnv({ [variable]: value })).toThrow(EnvError)
  expect(() => parseEnv({ [variable]: value })).toThrow(new RegExp(`^${variable} [^\\n]+$`))
})

test('hosts of the form are those that are named, in any case', () => {
  expect(parseEnv({ FORM_HOSTS: 'Forms.GLE, form.example.com' }).formHosts).toEqual([
    'forms.gle',
    'form.example.com',
  ])
})

test('V3: a weak SECRET_KEY may be the old one, its own successor may not be it', () => {
  const SECRET_KEY = '5b0a9dd1c7f24e33a861f0d92b7c4e58'
  expect(parseEnv({ SECRET_KEY, SECRET_KEY_OLD: 'a'.repeat(32) }).secretKeyOld).toBe('a'.repeat(32))
  expect(() => parseEnv({ SECRET_KEY, SECRET_KEY_OLD: SECRET_KEY })).toThrow(/^SECRET_KEY_OLD (?!.*5b0a)/)
})

test('V3: OPERATOR_WALLET is never the register, whatever its spelling', () => {
  for (const OPERATOR_WALLET of [register.address, register.address.toLowerCase()])
    expect(() => parseEnv({ OPERATOR_WALLET })).toThrow(/OPERATOR_WALLET.*register/)
})

test('the key of the operator wallet, or what is no key, is no ANCHOR_KEY, and is not repeated in the message', () => {
  const key = `0x${'5e'.repeat(32)}` as const
  expect(parseEnv({ ANCHOR_KEY: key }).anchorKey).toBe(key)
  const own = { ANCHOR_KEY: key, OPERATOR_WALLET: privateKeyToAddress(key) }
  expect(() => parseEnv(own)).toThrow(/^ANCHOR_KEY must not be the key of OPERATOR_WALLET(?!.*5e5e)/)
  expect(() => parseEnv({ ANCHOR_KEY: `${key}5e` })).toThrow(/^ANCHOR_KEY (?!.*5e5e)/)
})

test.each([
  ['DATABASE_URL', 'mysql://root:hunter2@db'],
  ['RPC_URLS', 'https://a,ftp://node.example/hunter2'],
  ['SECRET_KEY', 'hunter2'],
  ['ADMIN_PASSWORD', 'hunter2'],
])('I24: a secret in %s is not repeated in the message', (variable, value) => {
  expect(() => parseEnv({ [variable]: value })).toThrow(new RegExp(`^${variable} (?!.*hunter2)`))
})
