import { defineConfig } from '@medusajs/framework/utils'
import { tollgate } from './src/tollgate.js'

// The shop of `npm run lab -- medusa`: Medusa as it comes, without its admin, with events and locks in memory.

export default defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: {
      jwtSecret: process.env.SHOP_SECRET,
      cookieSecret: process.env.SHOP_SECRET,
      storeCors: 'http://localhost',
      adminCors: 'http://localhost',
      authCors: 'http://localhost',
    },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: { providers: [{ resolve: '@tollgate/medusa-provider', options: tollgate }] },
    },
  ],
})
