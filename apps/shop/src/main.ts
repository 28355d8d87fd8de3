import { readConfig } from './config.ts'
import { createShop } from './shop.ts'

// A shop for trying the sandbox: `npm start` runs it with the merchant DEMO.

const { host, port, ...options } = readConfig(process.env)
createShop(options).listen(port, host, () => process.send?.({ type: 'OPEN', url: options.url }))
for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(event, () => process.exit(0))
