import { Type } from 'typebox';
import { AppError } from '../../errors.ts';
import { isGiven } from './given.ts';
import { readMoment } from './read-moment.ts';

const CHANGED = 'has been changed since';

/** The part of a body that keeps a change from being written over what somebody else has saved meanwhile. */
export const IfUpdatedAt = {
  if_updated_at: Type.Optional(
    Type.Union([
      Type.String({ description: 'The `updated_at` that was read before; 409 where it is another by now' }),
      Type.Null(),
    ]),
  ),
};

/** Throws where what is to be changed is no longer what the caller has read; whoever does not say what they read may. */
export function refuseOvertaken({ if_updated_at: given }: { if_updated_at?: string | null }, updatedAt: Date): void {
  if (!isGiven(given)) return;
  if (readMoment('if_updated_at', given)?.getTime() === updatedAt.getTime()) return;
  throw new AppError('conflict', `if_updated_at: ${CHANGED}`, { fields: { if_updated_at: [CHANGED] } });
}
