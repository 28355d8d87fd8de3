// Makes the files of a server that runs those of another, by a base backup. A process of its own, since a backup has many
// small files, each of which would wait for its turn among merchants and receivers.
// Started as: copy-server.ts <data directory>, with the address of the server in PRIMARY_URL
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { restoreCluster } from '../../apps/gateway/src/platform/embedded-postgres/cluster.ts'
import { takeBaseBackup } from '../../apps/gateway/src/platform/embedded-postgres/index.ts'
import { placeIn } from './place.ts'

const [dataDir = ''] = process.argv.slice(2)
const folder = join(dataDir, 'backup')
const { signal } = new AbortController()
mkdirSync(folder)
await takeBaseBackup({ url: process.env['PRIMARY_URL'] ?? '', folder, signal })
await restoreCluster(await placeIn(dataDir), { folder, signal })
rmSync(folder, { recursive: true })
