import type { Database, Tx } from '../../../platform/db/database.ts';

class TakenBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('taken back');
    this.result = result;
  }
}

/** Does work in a transaction that is rolled back, and answers what came of it: nobody else ever sees any of it. */
export async function inVain<T>(db: Database, customerId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.tenant([customerId], async (tx) => {
      throw new TakenBack(await work(tx));
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.result as T;
    throw error;
  }
}
