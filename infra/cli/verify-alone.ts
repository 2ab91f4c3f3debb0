import { verifyCommand } from './verify/command.ts'

/** The command alone, as `bun run verify --build FILE` bundles it. */
process.exitCode = await verifyCommand(process.argv.slice(2), console.log)
