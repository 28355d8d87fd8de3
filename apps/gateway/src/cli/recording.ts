/** Writes down when something was done, for the console. It counts all the same where that fails; then there is a note for whoever did it. */
export async function notesOfRecording(
  what: string,
  record: () => Promise<void>,
): Promise<readonly string[]> {
  try {
    await record()
    return []
  } catch {
    return [`The time of this ${what} was not recorded: the database takes no writes, or lacks a migration.`]
  }
}
