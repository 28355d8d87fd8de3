import { SignInWaysSchema } from '@tollgate/contract'
import { ApiAway, ApiRefusal } from './operator-api.ts'
import type { Deps, Exchange } from './visit.ts'

/** How the provider of identities is called; undefined where there is none. A screen is shown all the same when nobody can be asked. */
export async function companyName(
  { apiFor }: Pick<Deps, 'apiFor'>,
  { request }: Exchange,
): Promise<string | undefined> {
  try {
    return (await apiFor(request, undefined).get('/operator/sign-in-ways', SignInWaysSchema)).oidc?.name
  } catch (error) {
    if (!(error instanceof ApiRefusal) && !(error instanceof ApiAway)) throw error
    return undefined
  }
}
