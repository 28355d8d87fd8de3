import type { App } from './app-type.ts'
import { takeFiles } from './operator-files.ts'
import { guardOperatorRoutes, type OperatorGateDeps } from './operator-gate.ts'
import { documentOperatorRoutes } from './operator-openapi.ts'
import { errorPageRoutes } from './reference/routes.ts'
import { createHttpServer, type HttpServerDeps } from './server.ts'

export type OperatorServerDeps = HttpServerDeps & OperatorGateDeps

/**
 * The server of the operator API, with its gate, its description and the pages of its errors: what is left are the
 * routes. Limits, parsing and error answers are those of the merchants' API; there is no version header.
 */
export async function createOperatorServer(deps: OperatorServerDeps): Promise<App> {
  const app = createHttpServer(deps)
  takeFiles(app)
  guardOperatorRoutes(app, deps)
  await documentOperatorRoutes(app, deps.publicUrl)
  errorPageRoutes(app)
  return app
}
