import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Address, getAddress, type Hex, isAddress, isAddressEqual } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { usdtOnBsc } from '../chain/register.ts'
import { drandRelays } from '../draw/beacon.ts'
import { whyNotOperatorWallet } from '../event/event.ts'
import { type QueueName, queueNames } from '../jobs.ts'
import { parseCents, unitsOf } from '../money.ts'
import { defaultFormHosts, isHostName } from '../prize/claim.ts'
import { readSecretFiles, weaknessOfSecret } from './secrets.ts'

export { usdtOnBsc } from '../chain/register.ts'

/** A bad environment variable: the process stops at start and prints this one sentence. */
export class EnvError extends Error {
  override name = 'EnvError'
  constructor(
    readonly variable: string,
    problem: string,
  ) {
    super(`${variable} ${problem}`)
  }
}

export type Env = ReturnType<typeof parseEnv>

/** Checks every variable of `.env.example`; throws EnvError naming the first bad one. Blank means not set. */
export function parseEnv(vars: Readonly<Record<string, string | undefined>>) {
  const text = (name: string): string | undefined => vars[name]?.trim() || undefined
  const env = {
    dataDir: text('DATA_DIR') ?? '.data',
    sitePort: port('SITE_PORT', 4321),
    apiPort: port('API_PORT', 3000),
    rpcPort: port('RPC_PORT', 8545),
    listenHost: checked(
      'LISTEN_HOST',
      text('LISTEN_HOST') ?? '127.0.0.1',
      (host) => isIP(host) !== 0,
      'an address such as 0.0.0.0',
    ),
    metricsPort: port('METRICS_PORT', 9464),
    databaseUrl: forServer(url('DATABASE_URL', ['postgres:', 'postgresql:'])),
    /** Where `db:migrate` writes the URLs of the programs' logins. */
    loginsDir: text('LOGINS_DIR'),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    rpcUrls: urls('RPC_URLS', ['http:', 'https:']),
    rpcUnsafe: flag('RPC_UNSAFE', false),
    chainId: integer('CHAIN_ID', 56, 1, 2 ** 53 - 1),
    usdtAddress: address('USDT_ADDRESS') ?? usdtOnBsc,
    operatorWallet: address('OPERATOR_WALLET'),
    ticketPrice: unitsOf(cents('TICKET_PRICE_USDT', 300n)),
    saleLeadSeconds: integer('SALE_LEAD_SECONDS', 86_400, 10, 31_536_000),
    autoDraw: flag('AUTO_DRAW', true),
    claimDays: integer('CLAIM_DAYS', 30, 7, 90),
    entropy: oneOf('ENTROPY', ['blocks', 'blocks+drand'] as const, 'blocks'),
    drandUrls: relays('DRAND_URLS'),
    adminUsername: text('ADMIN_USERNAME'),
    adminPassword: text('ADMIN_PASSWORD'),
    secretKey: secret('SECRET_KEY'),
    // As it was: a weak one, too, must be readable to be replaced.
    secretKeyOld: text('SECRET_KEY_OLD'),
    anchorKey: privateKey('ANCHOR_KEY'),
    // Commas, or spaces as in CDN_PROXIES, which compose.yaml adds to it.
    trustedProxies: list('TRUSTED_PROXIES')
      .flatMap((part) => part.split(/\s+/))
      .map((cidr) => checked('TRUSTED_PROXIES', cidr, isCidr, 'a list of addresses such as 10.0.0.0/8')),
    countryHeader: header('COUNTRY_HEADER'),
    // The site itself, where none is named.
    allowedOrigins: (text('ALLOWED_ORIGINS')
      ? urls('ALLOWED_ORIGINS', ['http:', 'https:'])
      : urls('PUBLIC_SITE_URL', ['http:', 'https:'])
    ).map((u) => new URL(u).origin),
    formHosts: hosts('FORM_HOSTS', defaultFormHosts),
    publicApiUrl: url('PUBLIC_API_URL', ['http:', 'https:']),
    publicSiteUrl: url('PUBLIC_SITE_URL', ['http:', 'https:']),
    publicRpcUrls: urls('PUBLIC_RPC_URLS', ['http:', 'https:']),
    storageUrl: url('STORAGE_URL', ['file:', 's3:']),
    reownProjectId: text('REOWN_PROJECT_ID'),
    refundMinUnits: unitsOf(cents('REFUND_MIN_USDT', 10n)),
    salesPaused: flag('SALES_PAUSED', false),
    refundsPaused: flag('REFUNDS_PAUSED', false),
    workerQueues: queues('WORKER_QUEUES'),
    logLevel: oneOf(
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const,
      'info',
    ),
  }
  const wrongWallet = env.operatorWallet && whyNotOperatorWallet(env.operatorWallet, env.usdtAddress)
  if (wrongWallet)
    throw new EnvError(
      'OPERATOR_WALLET',
      `must be a wallet that you hold, not ${{ zero: 'the zero address', token: 'the USDT contract', register: 'the register' }[wrongWallet]}.`,
    )
  if (
    env.anchorKey &&
    env.operatorWallet &&
    isAddressEqual(privateKeyToAddress(env.anchorKey), env.operatorWallet)
  )
    throw new EnvError('ANCHOR_KEY', 'must not be the key of OPERATOR_WALLET: make one that holds gas only.')
  if (env.ticketPrice === 0n) throw new EnvError('TICKET_PRICE_USDT', 'must be above 0.')
  if (env.secretKeyOld !== undefined && env.secretKeyOld === env.secretKey)
    throw new EnvError('SECRET_KEY_OLD', 'is the same as SECRET_KEY: it is the key before it.')
  if (env.adminPassword && env.adminPassword.length < 8)
    throw new EnvError('ADMIN_PASSWORD', 'must have at least 8 characters.')
  return env

  function integer(name: string, fallback: number, min: number, max: number): number {
    const value = text(name)
    if (value === undefined) return fallback
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max))
      throw new EnvError(name, `must be a whole number from ${min} to ${max}, not "${value}".`)
    return number
  }
  function port(name: string, fallback: number): number {
    return integer(name, fallback, 1, 65_535)
  }
  function flag(name: string, fallback: boolean): boolean {
    const value = text(name)?.toLowerCase()
    if (value === undefined) return fallback
    if (value !== 'true' && value !== 'false')
      throw new EnvError(name, `must be true or false, not "${value}".`)
    return value === 'true'
  }
  function cents(name: string, fallback: bigint): bigint {
    const value = text(name)
    if (value === undefined) return fallback
    const amount = parseCents(value)
    if (amount === undefined) throw new EnvError(name, `must be an amount such as 3 or 2.50, not "${value}".`)
    return amount
  }
  function list(name: string): string[] {
    return (text(name) ?? '').split(',').flatMap((part) => part.trim() || [])
  }
  function parsedUrl(name: string, value: string, schemes: readonly string[]): string {
    // The value may hold a password, so it is not repeated in the message.
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol))
      throw new EnvError(name, `must be a URL that starts with ${schemes.join('// or ')}//.`)
    return value
  }
  function url(name: string, schemes: readonly string[]): string | undefined {
    const value = text(name)
    return value === undefined ? undefined : parsedUrl(name, value, schemes)
  }
  function urls(name: string, schemes: readonly string[]): string[] {
    return list(name).map((value) => parsedUrl(name, value, schemes))
  }
  function hosts(name: string, fallback: readonly string[]): readonly string[] {
    const named = list(name).map((host) => host.toLowerCase())
    for (const host of named)
      if (!isHostName(host))
        throw new EnvError(name, `must be a list of host names such as forms.gle, not "${host}".`)
    return named.length > 0 ? named : fallback
  }
  function header(name: string): string | undefined {
    const value = text(name)?.toLowerCase()
    if (value !== undefined && !/^[a-z][a-z0-9-]{0,63}$/.test(value))
      throw new EnvError(name, `must be the name of a header such as cf-ipcountry, not "${value}".`)
    return value
  }
  function relays(name: string): readonly string[] {
    if (text(name)?.toLowerCase() === 'none') return []
    const named = urls(name, ['http:', 'https:'])
    return named.length > 0 ? named : drandRelays
  }
  function address(name: string): Address | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    if (!isAddress(value, { strict: value !== value.toLowerCase() }))
      throw new EnvError(name, `must be an address with a valid checksum or in lower case, not "${value}".`)
    return getAddress(value)
  }
  function secret(name: string): string | undefined {
    const value = text(name)
    const weakness = value && weaknessOfSecret(value)
    if (weakness) throw new EnvError(name, weakness)
    return value
  }
  function privateKey(name: string): Hex | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    // The value is a secret, so it is not repeated in the message.
    const problem = new EnvError(name, 'must be a private key: 0x and 64 hexadecimal digits.')
    if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw problem
    try {
      privateKeyToAddress(value as Hex)
    } catch {
      throw problem
    }
    return value as Hex
  }
  function checked(name: string, value: string, ok: (value: string) => boolean, what: string): string {
    if (!ok(value)) throw new EnvError(name, `must be ${what}, not "${value}".`)
    return value
  }
  function oneOf<const T extends readonly string[]>(
    name: string,
    options: T,
    fallback: T[number],
  ): T[number] {
    const value = text(name)
    if (value === undefined) return fallback
    if (!options.includes(value))
      throw new EnvError(name, `must be one of ${options.join(', ')}, not "${value}".`)
    return value
  }
  function queues(name: string): readonly QueueName[] {
    const names = list(name)
    for (const value of names)
      if (!(queueNames as readonly string[]).includes(value))
        throw new EnvError(name, `must be a list of ${queueNames.join(', ')}, not "${value}".`)
    return names.length === 0 ? queueNames : (names as QueueName[])
  }
}

const isCidr = (value: string): boolean =>
  isIP(value) !== 0 || ipaddr.IPv4.isValidCIDRFourPartDecimal(value) || ipaddr.IPv6.isValidCIDR(value)

type EnvWith<K extends keyof Env> = Env & { [N in K]: NonNullable<Env[N]> }

/** The environment of this process, secret files included. Throws EnvError for a bad or a missing `needed` one. */
export function readEnv<K extends keyof Env = never>(
  needed: readonly K[] = [],
  vars: Readonly<Record<string, string | undefined>> = process.env,
): EnvWith<K> {
  const env = parseEnv(readSecretFiles(vars))
  for (const key of needed) {
    const value = env[key]
    if (value === undefined || (Array.isArray(value) && value.length === 0))
      throw new EnvError(variableOf(key), 'is not set.')
  }
  return env as EnvWith<K>
}

export function readEnvOrExit<K extends keyof Env>(needed: readonly K[]): EnvWith<K> {
  try {
    return readEnv(needed)
  } catch (error) {
    return exitFor(error)
  }
}

/** Ends the process with the sentence of an EnvError; throws everything else. */
export function exitFor(error: unknown): never {
  if (!(error instanceof EnvError)) throw error
  console.error(error.message)
  process.exit(1)
}

/** What hosters write into an address for their own clients. What asks for safety (channel_binding) or tells of a pooler that forgets (pgbouncer) stays: the server refuses it, and the start says so. */
const ofClients =
  /^(schema|connection_limit|pool_timeout|socket_timeout|statement_cache_size|keepalives(_idle|_interval|_count)?|gssencmode|sslsni)$/

function forServer(text: string | undefined): string | undefined {
  if (text === undefined || !text.includes('?')) return text
  const url = new URL(text)
  for (const name of [...url.searchParams.keys()]) if (ofClients.test(name)) url.searchParams.delete(name)
  return url.href
}

/** `databaseUrl` is DATABASE_URL. */
const variableOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
