import { sql } from 'kysely';
import type { Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { OwnershipCheck } from '../platform/http/ownership.ts';
import { isUuid } from '../platform/ids.ts';

/** Throws unless a tracking id is one of the customer's: 404 where no message has it, 403 where another's has. */
export async function requireOwnMessage(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw messageNotFound(id);
  try {
    await requireOwn(tx, customerId, sql<number | null>`find_message_customer(${id})`, '');
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? messageNotFound(id) : error;
  }
}

/** The refusal of a tracking id that names no message; the id goes back, as clients expect. */
export function messageNotFound(id: string): AppError {
  return new AppError('message_not_found', 'Message with this tracking id was not found', {
    beside: { sourceTrackingId: id },
  });
}
