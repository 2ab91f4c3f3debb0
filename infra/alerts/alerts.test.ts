import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

// Debian's package `prometheus` brings promtool; without it nothing here can evaluate a rule.
const promtool = Bun.which('promtool')

type Rule = { alert: string; for?: string; labels: { severity: string }; annotations: { summary: string } }
const rulesFile = join(import.meta.dirname, 'blockdraw.yaml')
const { groups } = Bun.YAML.parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

/** A value that stays, or `from+step`: so much more every minute. */
type Series = Record<string, number | string>
type Story = { fires: Series; quiet: Series; labels?: Record<string, string>; atMinute?: number }

const b = (name: string) => `blockdraw_${name}`
const host = { host: 'a.example' }
const gauge = (name: string, fires: number, quiet: number, labels?: Record<string, string>): Story => ({
  fires: { [b(name)]: fires },
  quiet: { [b(name)]: quiet },
  ...(labels && { labels }),
})
const ofHost = (name: string, fires: number, quiet: number): Story => ({
  fires: { [b(`${name}{host="a.example"}`)]: fires },
  quiet: { [b(`${name}{host="a.example"}`)]: quiet },
  labels: host,
})
const disk = (free: number): Series => ({
  'node_filesystem_avail_bytes{instance="m",device="/dev/a",fstype="ext4"}': free,
  'node_filesystem_size_bytes{instance="m",device="/dev/a",fstype="ext4"}': 100,
  'node_filesystem_avail_bytes{instance="m",device="tmpfs",fstype="tmpfs"}': 0,
  'node_filesystem_size_bytes{instance="m",device="tmpfs",fstype="tmpfs"}': 0,
})
const attempts = (channel: string, kind: string, outcome: string): string =>
  b(`notification_attempts_total{channel="${channel}",kind="${kind}",outcome="${outcome}"}`)
const site = { instance: 'https://raffle.example/' }
const ofSite = (name: string, value: number | string): Series => ({
  [`${name}{instance="${site.instance}"}`]: value,
})
const refused = (each: string): Series => ({
  [b('api_requests_total{route="/api/admin/login",status="401"}')]: each,
  [b('api_requests_total{route="/api/tickets/purchase",status="429"}')]: '0+900',
})
const backup = (here: number, away: number, more: Series = {}): Series => ({
  [b('backup_every_seconds')]: 3_600,
  [b('backup_age_seconds{place="here"}')]: here,
  [b('backup_age_seconds{place="off-site"}')]: away,
  ...more,
})
const day = 86_400

/** What each alert is about, and what looks like it and is not. */
const stories: Record<string, Story> = {
  PaymentsWait: {
    // A worker that had no job for an hour has not looked at the chain since.
    fires: {
      [b('scan_lag_seconds')]: 70,
      [b('chain_finality_lag_seconds{instance="a"}')]: 2,
      [b('chain_finality_lag_seconds{instance="b"}')]: 3_600,
    },
    quiet: { [b('scan_lag_seconds')]: 300, [b('chain_finality_lag_seconds')]: 290 },
  },
  ScanStands: gauge('scan_idle_seconds', 130, 12),
  ClaimsWait: gauge('claims_oldest_seconds', 901, 800),
  SalesHalted: gauge('event_halted', 1, 0),
  EquationBroken: gauge('equation_broken', 1, 0),
  CoverShort: gauge('cover_short', 1, 0),
  EquationUnknown: { ...gauge('equation_unknown', 1, 0), atMinute: 45 },
  SolvencyOld: { ...gauge('solvency_age_seconds', 601, 130), atMinute: 15 },
  UnreadTwice: gauge('event_unread_twice', 1, 0),
  DrawOverdue: gauge('draw_overdue_seconds', 601, 60),
  AnchorKeyStolen: gauge('anchor_key_foreign{wallet="0x1"}', 1, 0),
  AnchorKeyLow: gauge('anchor_key_anchors{wallet="0x1"}', 19, 20),
  WalletMissing: gauge('event_wallet_set', 0, 1),
  RefundsStand: {
    fires: { [b('refund_rows{state="failed"}')]: 1 },
    quiet: { [b('refund_rows{state="planned"}')]: 9 },
  },
  FinalityStalled: {
    // One of two workers that sees no finality has a bad endpoint; both have a chain that stands still.
    fires: { [b('chain_finality_stalled{instance="a"}')]: 1, [b('chain_finality_stalled{instance="b"}')]: 1 },
    quiet: { [b('chain_finality_stalled{instance="a"}')]: 1, [b('chain_finality_stalled{instance="b"}')]: 0 },
  },
  NodesMissing: gauge('nodes_waiting_seconds', 61, 5),
  RpcSetAside: ofHost('rpc_set_aside', 1, 0),
  HeadersUnknown: gauge('chain_headers_unknown', 1, 0),
  RpcUnsafe: gauge('rpc_unsafe', 1, 0),
  ClockSkew: gauge('chain_clock_skew_seconds', -6, -3),
  RpcDown: ofHost('rpc_up', 0, 1),
  RpcErrors: {
    fires: {
      [b('rpc_errors_total{host="a.example",kind="network"}')]: '0+30',
      [b('rpc_calls_total{host="a.example"}')]: '0+100',
    },
    // An endpoint that rests is not asked: that is no failure of its own.
    quiet: {
      [b('rpc_errors_total{host="a.example",kind="resting"}')]: '0+90',
      [b('rpc_calls_total{host="a.example"}')]: '0+100',
    },
    labels: host,
  },
  HistoryMissing: {
    fires: { [b('history_missing_total{job="scan"}')]: '0+1' },
    quiet: { [b('history_missing_total{job="scan"}')]: 7 },
  },
  NoLogs: {
    fires: { [b('rpc_logs{host="a.example",mode="none"}')]: 1 },
    quiet: {
      [b('rpc_logs{host="a.example",mode="none"}')]: 1,
      [b('rpc_logs{host="b.example",mode="receipts"}')]: 1,
    },
  },
  WorkersGone: { fires: {}, quiet: { [b('database_up')]: 1 } },
  DatabaseGone: {
    fires: { [b('database_up')]: 1, [b('state_stale')]: 1 },
    quiet: {
      [b('database_up{instance="a"}')]: 1,
      [b('database_up{instance="b"}')]: 0,
      [b('state_stale')]: 0,
    },
  },
  QueueGone: gauge('queue_up', 0, 1),
  NotificationsWait: gauge('notifications_oldest_unsent_seconds', 601, 30),
  ChannelFails: {
    fires: {
      [attempts('2', 'telegram', 'timeout')]: '0+1',
      [attempts('3', 'webhook', 'sent')]: '0+1',
    },
    // One that fails now and then, and is received in between.
    quiet: {
      [attempts('2', 'telegram', 'timeout')]: '0+1',
      [attempts('2', 'telegram', 'sent')]: '0+1',
    },
    labels: { channel: '2', kind: 'telegram' },
    atMinute: 60,
  },
  MessagesGivenUp: gauge('notifications_given_up', 1, 0),
  QueueWaits: {
    fires: { [b('queue_oldest_seconds{queue="verify"}')]: 31 },
    quiet: { [b('queue_oldest_seconds{queue="verify"}')]: 29 },
    labels: { queue: 'verify' },
  },
  JobsFail: {
    fires: { [b('jobs_total{job="scan",outcome="failed"}')]: '0+1' },
    quiet: { [b('jobs_total{job="scan",outcome="again"}')]: '0+1' },
    labels: { job: 'scan' },
  },
  ApiErrors: {
    fires: {
      [b('api_requests_total{status="500"}')]: '0+3',
      [b('api_requests_total{status="200"}')]: '0+97',
    },
    quiet: {
      [b('api_requests_total{status="500"}')]: '0+1',
      [b('api_requests_total{status="429"}')]: '0+99',
    },
  },
  StreamsFull: gauge('live_streams{instance="a"}', 10_001, 9_000, { instance: 'a' }),
  EventLoopBlocked: gauge('event_loop_lag_max_seconds{instance="a"}', 0.6, 0.1, { instance: 'a' }),
  RedisFull: {
    fires: { [b('redis_memory_bytes')]: 170, [b('redis_memory_limit_bytes')]: 200 },
    quiet: { [b('redis_memory_bytes')]: 0, [b('redis_memory_limit_bytes')]: 0 }, // the queue is in Postgres
  },
  ClockApart: gauge('clock_offset_seconds', -6, 2),
  ClockUnsynced: { fires: { node_timex_sync_status: 0 }, quiet: { node_timex_sync_status: 1 } },
  DiskFull: { fires: disk(9), quiet: disk(11), labels: { instance: 'm', device: '/dev/a' } },
  MachineUnseen: { fires: {}, quiet: disk(50) },
  Heartbeat: { fires: {}, quiet: {} },
  SiteDown: { fires: ofSite('probe_success', 0), quiet: ofSite('probe_success', 1), labels: site },
  SiteUnseen: { fires: {}, quiet: ofSite('probe_success', 0) },
  CertificateEnds: {
    fires: ofSite('probe_ssl_earliest_cert_expiry', 9 * day),
    quiet: ofSite('probe_ssl_earliest_cert_expiry', 30 * day),
    labels: site,
    atMinute: 90,
  },
  ApiGone: {
    fires: { 'up{job="blockdraw-api"}': 0, 'up{job="blockdraw-worker"}': 1 },
    quiet: { 'up{job="blockdraw-api",instance="a"}': 1, 'up{job="blockdraw-api",instance="b"}': 0 },
  },
  ProgramHangs: {
    fires: { 'up{job="blockdraw-api",instance="a"}': 1, 'up{job="blockdraw-api",instance="b"}': 0 },
    quiet: { 'up{job="blockdraw-api",instance="a"}': 0, 'up{job="blockdraw-worker",instance="b"}': 1 },
    labels: { job: 'blockdraw-api' },
  },
  LoginsFail: { fires: refused('0+5'), quiet: refused('0+1') },
  AuditGrows: {
    fires: { [b('audit_rows')]: '0+100' },
    quiet: { [b('audit_rows')]: '1000000+10' },
    atMinute: 90,
  },
  RpcBudget: {
    fires: { [b('rpc_calls_total{host="a.example"}')]: '0+300', [b('rpc_budget')]: 10_000_000 },
    quiet: { [b('rpc_calls_total{host="a.example"}')]: '0+300', [b('rpc_budget')]: 0 }, // not told
    labels: host,
    atMinute: 1_560,
  },
  BackupOld: { fires: backup(100, 7_900), quiet: backup(7_000, 7_700), labels: { place: 'off-site' } },
  BackupUnproven: {
    fires: backup(9, 9, { [b('backup_rehearsal_failed')]: 0, [b('backup_rehearsal_age_seconds')]: 9 * day }),
    quiet: backup(9, 9, { [b('backup_rehearsal_failed')]: 0, [b('backup_rehearsal_age_seconds')]: 7 * day }),
    atMinute: 90,
  },
  BackupsStayHere: {
    fires: { [b('backup_age_seconds{place="here"}')]: 9 },
    quiet: backup(9, 9),
    labels: { place: 'off-site' },
    atMinute: 1_560,
  },
}
/** What else must call, beside the stories above. */
const also: [string, Story][] = [
  ['BackupOld', { fires: {}, quiet: backup(9, 9) }],
  [
    'BackupOld',
    { fires: backup(Number.POSITIVE_INFINITY, 9), quiet: backup(9, 9), labels: { place: 'here' } },
  ],
  ['BackupUnproven', { ...gauge('backup_rehearsal_failed', 1, 0), atMinute: 90 }],
  ['ApiGone', { fires: {}, quiet: { 'up{job="blockdraw-api"}': 1 } }],
  ['DatabaseGone', { fires: { [b('database_up')]: 0 }, quiet: { [b('database_up')]: 1 } }],
  ['NoLogs', { fires: {}, quiet: { [b('rpc_logs{host="a.example",mode="ranges"}')]: 1 } }],
]

test('every alert has a story in which it calls and one in which it does not', () => {
  expect(Object.keys(stories).sort()).toEqual(rules.map(({ alert }) => alert).sort())
})

// Without promtool nobody here can evaluate a rule.
test.skipIf(!promtool)(
  'each alert calls when it should, not at once, and not for what only looks like it',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'blockdraw-alerts-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    // Each with its own rule alone: promtool works out every rule of a file for every story.
    const files = rules.map((rule) => {
      const [ruleFile, file] = [join(dir, `${rule.alert}.rules.yaml`), join(dir, `${rule.alert}.yaml`)]
      writeFileSync(ruleFile, JSON.stringify({ groups: [{ name: 'one', rules: [rule] }] }))
      const told = [...Object.entries(stories), ...also].filter(([alert]) => alert === rule.alert)
      const tests = told.flatMap(([, story]) => trials(rule, story))
      writeFileSync(file, JSON.stringify({ rule_files: [ruleFile], evaluation_interval: '1m', tests }))
      return file
    })
    const child = Bun.spawn([promtool as string, 'test', 'rules', ...files], {
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, errors] = [await new Response(child.stdout).text(), await new Response(child.stderr).text()]
    expect([await child.exited, out + errors]).toEqual([0, expect.stringContaining('SUCCESS')])
  },
)

function trials(rule: Rule, { fires, quiet, labels = {}, atMinute = 25 }: Story) {
  const { alert } = rule
  const { severity } = rule.labels
  const summary = rule.annotations.summary.replaceAll(
    /\{\{ \$labels\.(\w+) \}\}/g,
    (_, name) => labels[name] ?? '',
  )
  const called = [{ exp_labels: { severity, ...labels }, exp_annotations: { summary } }]
  const always = alert === 'Heartbeat'
  const at = (eval_time: string, exp_alerts: unknown[]) => ({ eval_time, alertname: alert, exp_alerts })
  return [
    {
      ...input(fires, atMinute),
      alert_rule_test: [...(rule.for ? [at('0m', [])] : []), at(`${atMinute}m`, called)],
    },
    { ...input(quiet, atMinute), alert_rule_test: [at(`${atMinute}m`, always ? called : [])] },
  ]
}

const input = (series: Series, minutes: number) => ({
  interval: '1m',
  input_series: Object.entries(series).map(([name, value]) => ({
    series: name,
    values: `${typeof value === 'string' ? value : `${value === Number.POSITIVE_INFINITY ? 'Inf' : value}+0`}x${minutes}`,
  })),
})
