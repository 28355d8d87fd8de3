import type { TestLife } from '@tollgate/testkit'
import type { WatchedPage } from '@tollgate/testkit/browser'
import type { TestGateway } from './gateway.ts'
import { END_SCENES } from './screens-end.ts'
import { PAY_SCENES } from './screens-pay.ts'
import type { Scene, Stage } from './screens-scene.ts'
import { startScriptedPage } from './screens-script.ts'
import { START_SCENES } from './screens-start.ts'
import { TROUBLE_SCENES } from './screens-trouble.ts'

/** Every screen of the hosted page, in the order in which a customer may come to them. */
export const CHAPTERS: readonly { readonly title: string; readonly scenes: readonly Scene[] }[] = [
  { title: 'Before there is a payment', scenes: START_SCENES },
  { title: 'Paying', scenes: PAY_SCENES },
  { title: 'How it ended', scenes: END_SCENES },
  { title: 'What can go wrong', scenes: TROUBLE_SCENES },
]

export const SCENES: readonly Scene[] = CHAPTERS.flatMap(({ scenes }) => scenes)

/** A scene whose payment is there. */
interface Prepared {
  readonly scene: Scene
  readonly url: string
}

const FIRST_ORDER = 410

/** Makes what the scenes need, all at once. The scripted page ends with the test. */
export async function prepareScenes(
  t: TestLife,
  {
    gateway,
    tab,
    scenes = SCENES,
  }: {
    readonly gateway: TestGateway
    readonly tab: WatchedPage['page']
    readonly scenes?: readonly Scene[]
  },
): Promise<readonly Prepared[]> {
  let orders = FIRST_ORDER
  const stage: Stage = {
    gateway,
    tab,
    scripted: await startScriptedPage(t),
    nextOrder() {
      orders += 1
      return `ORD-2026-${String(orders).padStart(4, '0')}`
    },
  }
  const prepared = await Promise.all(
    scenes.map(async (scene) => ({ scene, url: await scene.prepare(stage) })),
  )
  return prepared.toSorted(
    (one, other) => Number(one.scene.isLate ?? false) - Number(other.scene.isLate ?? false),
  )
}
