import { readdirSync, readFileSync } from 'node:fs'
import { cpuOf, memoryOf } from './pinned.ts'

type Watched = { name: string; pid: number; filesOfStream: number }
export type Cost = ReturnType<ReturnType<typeof costsOf>['changed']>[number]

/** What processes need for their streams, from before the first one on. Times are microseconds of the processor, memory MiB. */
export function costsOf(processes: readonly Watched[]) {
  const all = processes.map((process) => ({ ...process, before: stateOf(process.pid) }))
  let opened = all.map(({ before }) => before)
  let quietMs = all.map(() => 0)
  return {
    /** All streams are there. */
    opened(): void {
      opened = all.map(({ pid }) => stateOf(pid))
    },
    /** So many seconds went by in which only beats were sent. */
    rested(seconds: number): void {
      quietMs = all.map(({ pid }, index) => (cpuOf(pid) - (opened[index]?.cpu ?? 0)) / seconds)
      opened = opened.map((state, index) => ({ ...state, rested: cpuOf(all[index]?.pid ?? 0) }))
    },
    /** So many changes were sent since, in so many seconds. */
    changed(changes: number, seconds: number) {
      return all.map(({ name, pid, filesOfStream, before }, index) => {
        const open = opened[index] ?? before
        const now = stateOf(pid)
        const streams = Math.round((open.files - before.files) / filesOfStream)
        const quiet = quietMs[index] ?? 0
        const us = (ms: number) => (ms * 1000) / streams
        return {
          name,
          streams,
          before: before.rss,
          open: open.rss,
          after: now.rss,
          peak: now.peak,
          kib: ((Math.max(open.rss, now.rss) - before.rss) * 1024) / streams,
          openUs: us(open.cpu - before.cpu),
          quietUs: us(quiet),
          changeUs: us(now.cpu - open.rested - quiet * seconds) / changes,
        }
      })
    },
  }
}

/** Memory of the kernel's own tables, sockets among them, in KiB. */
export const socketKib = (): number =>
  Number(/Slab:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0)

function stateOf(pid: number) {
  const cpu = cpuOf(pid)
  return { ...memoryOf(pid), cpu, rested: cpu, files: readdirSync(`/proc/${pid}/fd`).length }
}
