import { join } from 'node:path'
import { pinned } from './pinned.ts'

export type Load = { rps: number; p50: number; p99: number }

const wrk = Bun.which('wrk')
export const loaderName = wrk ? 'wrk -t1 -c64' : 'own loader, 64 connections'

/** Loads a URL from core 1 for some seconds; latencies in milliseconds. */
export async function load(url: string, seconds: number, header = ''): Promise<Load> {
  if (!wrk) {
    const script = join(import.meta.dir, 'http-load.ts')
    return pinned(1, [process.execPath, script, url, '64', `${seconds}`, header]).next<Load>()
  }
  const flags = ['-t1', '-c64', `-d${seconds}s`, '--latency', ...(header ? ['-H', header] : [])]
  const text = await pinned(1, [wrk, ...flags, url]).rest()
  return {
    rps: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
    p50: toMs(/50%\s+([\d.]+)(us|ms|s)/.exec(text)),
    p99: toMs(/99%\s+([\d.]+)(us|ms|s)/.exec(text)),
  }
}

const toMs = (found: RegExpExecArray | null): number =>
  Number(found?.[1] ?? 0) * ({ us: 0.001, ms: 1, s: 1000 }[found?.[2] ?? 'ms'] ?? 1)
