import { Problem } from '../../platform/problem.ts'

/** An operator's setting that was not taken. The message is a sentence for people and says what would be right. */
export class SettingInvalid extends Problem {
  override readonly name = 'SettingInvalid'
}

/** Applying would change something else than what was shown. */
export class CatalogueMoved extends Problem {
  override readonly name = 'CatalogueMoved'

  constructor() {
    super(
      'This is not what was shown: the catalogue or the document has changed since. Nothing was changed. Show the difference again.',
      'CONFLICT',
    )
  }
}

/** A catalogue document that was not taken; each fault with its line. */
export class DocumentInvalid extends Problem {
  override readonly name = 'DocumentInvalid'

  constructor(faults: readonly string[]) {
    super('The document has faults; nothing was changed.', 'INVALID', faults)
  }
}
