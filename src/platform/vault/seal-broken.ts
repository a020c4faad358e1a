/** Thrown when sealed data was altered, cut short or mixed up, or does not belong to this key and context. */
export class SealBroken extends Error {
  constructor() {
    super('The seal does not hold: the data was altered or cut short, or the key or context is another');
    this.name = 'SealBroken';
  }
}
