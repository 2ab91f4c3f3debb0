import { isIP as isIPVersion } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Address, getAddress, type Hex, isAddress, isAddressEqual } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { usdtOnBsc } from '../chain/register.ts'
import { drandRelays } from '../draw/beacon.ts'
import { entropies, whyNotOperatorWallet } from '../event/event.ts'
import { queueNames } from '../jobs.ts'
import { parseCents, unitsOf } from '../money.ts'
import { defaultFormHosts, isHostName } from '../prize/claim.ts'
import { readSecretFiles, weaknessOfSecret } from './secrets.ts'

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

const web = ['http:', 'https:']

/** Checks every variable of `.env.example`; throws EnvError naming the first bad one. Blank means not set. */
export function parseEnv(vars: Readonly<Record<string, string | undefined>>) {
  const text = (name: string): string | undefined => vars[name]?.trim() || undefined
  const env = {
    dataDir: text('DATA_DIR') ?? '.data',
    sitePort: port('SITE_PORT', 4321),
    apiPort: port('API_PORT', 3000),
    rpcPort: port('RPC_PORT', 8545),
    listenHost: read('LISTEN_HOST', only(isIP), 'an address such as 0.0.0.0') ?? '127.0.0.1',
    metricsPort: port('METRICS_PORT', 9464),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    /** Where `db:migrate` writes the URLs of the programs' logins. */
    loginsDir: text('LOGINS_DIR'),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    rpcUrls: urls('RPC_URLS'),
    rpcUnsafe: flag('RPC_UNSAFE', false),
    chainId: integer('CHAIN_ID', 56, 1, 2 ** 53 - 1),
    usdtAddress: address('USDT_ADDRESS') ?? usdtOnBsc,
    operatorWallet: address('OPERATOR_WALLET'),
    ticketPrice: unitsOf(cents('TICKET_PRICE_USDT', 300n)),
    saleLeadSeconds: integer('SALE_LEAD_SECONDS', 86_400, 10, 31_536_000),
    autoDraw: flag('AUTO_DRAW', true),
    claimDays: integer('CLAIM_DAYS', 30, 7, 90),
    entropy: oneOf('ENTROPY', entropies, 'blocks'),
    drandUrls: text('DRAND_URLS')?.toLowerCase() === 'none' ? [] : orUsual(urls('DRAND_URLS'), drandRelays),
    adminUsername: text('ADMIN_USERNAME'),
    adminPassword: text('ADMIN_PASSWORD'),
    secretKey: text('SECRET_KEY'),
    // As it was: a weak one, too, must be readable to be replaced.
    secretKeyOld: text('SECRET_KEY_OLD'),
    anchorKey: read('ANCHOR_KEY', toPrivateKey, 'a private key: 0x and 64 hexadecimal digits', true),
    trustedProxies: list('TRUSTED_PROXIES', only(isCidr), 'a list of addresses such as 10.0.0.0/8'),
    countryHeader: read('COUNTRY_HEADER', toHeader, 'the name of a header such as cf-ipcountry'),
    // The site itself, where none is named.
    allowedOrigins: urls(text('ALLOWED_ORIGINS') ? 'ALLOWED_ORIGINS' : 'PUBLIC_SITE_URL').map(
      (origin) => new URL(origin).origin,
    ),
    formHosts: orUsual(
      list('FORM_HOSTS', toHost, 'a list of host names such as forms.gle'),
      defaultFormHosts,
    ),
    publicApiUrl: url('PUBLIC_API_URL', web),
    publicSiteUrl: url('PUBLIC_SITE_URL', web),
    publicRpcUrls: urls('PUBLIC_RPC_URLS'),
    storageUrl: url('STORAGE_URL', ['file:', 's3:']),
    reownProjectId: text('REOWN_PROJECT_ID'),
    refundMinUnits: unitsOf(cents('REFUND_MIN_USDT', 10n)),
    salesPaused: flag('SALES_PAUSED', false),
    refundsPaused: flag('REFUNDS_PAUSED', false),
    workerQueues: orUsual(
      list('WORKER_QUEUES', among(queueNames), `a list of ${queueNames.join(', ')}`),
      queueNames,
    ),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
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
  const weakness = env.secretKey && weaknessOfSecret(env.secretKey)
  if (weakness) throw new EnvError('SECRET_KEY', weakness)
  if (env.secretKeyOld !== undefined && env.secretKeyOld === env.secretKey)
    throw new EnvError('SECRET_KEY_OLD', 'is the same as SECRET_KEY: it is the key before it.')
  if (env.adminPassword && env.adminPassword.length < 8)
    throw new EnvError('ADMIN_PASSWORD', 'must have at least 8 characters.')
  return env

  /** Undefined where it is not set. A value that may hold a secret is `hidden`: no message repeats it. */
  function read<T>(name: string, parse: Parse<T>, what: string, hidden = false): T | undefined {
    const value = text(name)
    return value === undefined ? undefined : parsed(name, value, parse, what, hidden)
  }
  /** Values between commas or spaces. */
  function list<T>(name: string, parse: Parse<T>, what: string, hidden = false): readonly T[] {
    const values =
      text(name)
        ?.split(/[\s,]+/)
        .filter(Boolean) ?? []
    return values.map((value) => parsed(name, value, parse, what, hidden))
  }
  function integer(name: string, fallback: number, min: number, max: number): number {
    const parse = (value: string) => {
      const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
      return number >= min && number <= max ? number : undefined
    }
    return read(name, parse, `a whole number from ${min} to ${max}`) ?? fallback
  }
  function port(name: string, fallback: number): number {
    return integer(name, fallback, 1, 65_535)
  }
  function oneOf<const T extends string>(name: string, options: readonly T[], fallback: T): T {
    return read(name, among(options), `one of ${options.join(', ')}`) ?? fallback
  }
  function flag(name: string, fallback: boolean): boolean {
    const told = read(name, (value) => among(['true', 'false'])(value.toLowerCase()), 'true or false')
    return told === undefined ? fallback : told === 'true'
  }
  function cents(name: string, fallback: bigint): bigint {
    return read(name, parseCents, 'an amount such as 3 or 2.50') ?? fallback
  }
  function url(name: string, schemes: readonly string[]): string | undefined {
    return read(name, isOf(schemes), urlForm(schemes), true)
  }
  function urls(name: string): readonly string[] {
    return list(name, isOf(web), urlForm(web), true)
  }
  function address(name: string): Address | undefined {
    return read(name, toAddress, 'an address with a valid checksum or in lower case')
  }
}

function parsed<T>(name: string, value: string, parse: Parse<T>, what: string, hidden: boolean): T {
  const found = parse(value)
  if (found === undefined) throw new EnvError(name, `must be ${what}${hidden ? '.' : `, not "${value}".`}`)
  return found
}

/** Undefined for a text that is none. */
type Parse<T> = (value: string) => T | undefined

const only =
  (isRight: (value: string) => boolean): Parse<string> =>
  (value) =>
    isRight(value) ? value : undefined

const among =
  <const T extends string>(options: readonly T[]): Parse<T> =>
  (value) =>
    options.find((option) => option === value)

const orUsual = <T>(named: readonly T[], usual: readonly T[]): readonly T[] =>
  named.length > 0 ? named : usual

const isOf = (schemes: readonly string[]) =>
  only((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol))
const urlForm = (schemes: readonly string[]) => `a URL that starts with ${schemes.join('// or ')}//`
const toHost: Parse<string> = (value) => only(isHostName)(value.toLowerCase())
const toHeader: Parse<string> = (value) =>
  only((name) => /^[a-z][a-z0-9-]{0,63}$/.test(name))(value.toLowerCase())
const toAddress: Parse<Address> = (value) =>
  isAddress(value, { strict: value !== value.toLowerCase() }) ? getAddress(value) : undefined

function toPrivateKey(value: string): Hex | undefined {
  try {
    privateKeyToAddress(value as Hex)
    return /^0x[0-9a-fA-F]{64}$/.test(value) ? (value as Hex) : undefined
  } catch {
    return undefined
  }
}

const isIP = (value: string): boolean => isIPVersion(value) !== 0
const isCidr = (value: string): boolean =>
  isIP(value) || ipaddr.IPv4.isValidCIDRFourPartDecimal(value) || ipaddr.IPv6.isValidCIDR(value)

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

/** What a program cannot begin without: where that throws EnvError the process ends with its sentence. */
export function orExit<T>(read: () => T): T {
  try {
    return read()
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

/** `databaseUrl` is DATABASE_URL. */
const variableOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
