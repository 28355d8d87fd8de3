import { createTokenAdministration } from '../modules/tokens/index.ts'
import { CommandFailure } from './failure.ts'
import { type House, masterKeyFile, readExistingMasterKey } from './house.ts'

/**
 * Makes sure that the master key here is the one that the gateway uses with this database: what is sealed or hashed
 * with another would be stored, and never open anything. Throws a sentence.
 */
export async function requireRightKey(house: House): Promise<void> {
  readExistingMasterKey(house.config)
  if (await createTokenAdministration(house).opensActiveKey()) return
  throw new CommandFailure(
    'USAGE',
    `The master key in ${masterKeyFile(house.config)} is not the one that the gateway uses with this database. Set TOLLGATE_DATA_DIR or TOLLGATE_MASTER_KEY_FILE.`,
  )
}
