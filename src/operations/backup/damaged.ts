/** Thrown where a backup is not what its signed manifest says; names the file. */
export class DamagedBackup extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`the backup is damaged: ${what}`, options);
    this.name = 'DamagedBackup';
  }
}
