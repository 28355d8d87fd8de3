import { startEmbeddedPostgres } from '../index.ts'
import { insertUntilCut } from './support.ts'

// A program of its own for the tests: starts the server of the directory it is given and prints every row acknowledged.
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' })
await insertUntilCut(server.ownerUrl, (n) => process.stdout.write(`${n}\n`))
