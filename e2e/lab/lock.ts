import { readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'

/** A mutex among threads and processes; a lock left behind by a dead process is taken over. */
export async function locked<T>(file: string, act: () => Promise<T>): Promise<T> {
  await take(file)
  try {
    return await act()
  } finally {
    unlinkSync(file)
  }
}

async function take(file: string): Promise<void> {
  for (;;) {
    try {
      return writeFileSync(file, `${process.pid}`, { flag: 'wx' })
    } catch {
      if (!isAlive(ownerOf(file))) rmSync(file, { force: true })
      await Bun.sleep(50)
    }
  }
}

/** This process while the owner has not written its id yet. */
function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || process.pid
  } catch {
    return process.pid
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
