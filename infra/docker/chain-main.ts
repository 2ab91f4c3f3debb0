import { startChain } from '../local/chain.ts'

/** The chain of `bun run check:compose`, in its own container; its blocks stay in a volume. */
const chain = await startChain({ host: '0.0.0.0', port: 8545, stateFile: '/state/chain.json' })
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void chain.stop().then(() => process.exit(0)))
process.exit(await chain.exited)
