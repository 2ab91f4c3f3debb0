/** Where Postgres, chain and page builder of the lock file run: `start` looks before it installs anything. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/** Why local mode cannot run here, and what to do instead; undefined where it can. @internal */
export function whyNotHere(platform: string, env: Record<string, string | undefined>): string | undefined {
  if (platforms.includes(platform)) return undefined
  if (env.DATABASE_URL && env.RPC_URLS) return undefined
  const here = platform.startsWith('win32')
    ? 'On Windows run the same command in WSL.'
    : 'Set DATABASE_URL and RPC_URLS, or use compose.yaml.'
  return `There is no local database and chain for ${platform}, only for ${platforms.join(', ')}. ${here}`
}

if (import.meta.main) {
  const why = whyNotHere(`${process.platform}-${process.arch}`, process.env)
  if (why) {
    console.error(why)
    process.exit(1)
  }
}
