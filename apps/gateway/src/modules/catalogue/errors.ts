/** An operator's setting that was not taken. The message is a sentence for people and says what would be right. */
export class SettingInvalid extends Error {
  override readonly name = 'SettingInvalid'
}
