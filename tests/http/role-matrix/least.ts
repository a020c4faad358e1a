import type { Role } from '../../../src/platform/http/access.ts';

/** The least that a person must be for an operation, and whether the second factor must have been shown of late. */
export interface Least {
  role: Role | 'any';
  fresh?: true;
}

export const anyone: Least = { role: 'any' };
export const reader: Least = { role: 'reader' };
export const editor: Least = { role: 'editor' };
export const admin: Least = { role: 'admin' };
export const owner: Least = { role: 'owner' };
export const operator: Least = { role: 'operator' };

/** The same, right after the second factor was shown. */
export function freshly(least: Least): Least {
  return { ...least, fresh: true };
}
