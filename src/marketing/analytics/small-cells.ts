import { invalidField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { one, type Wire } from '../read-page.ts';

/** Counts of which some may be hidden. */
export type Shown<Name extends string> = Record<Name, number | null> & { small_cells_suppressed?: true };

/** The parameter that hides small counts. */
export const MIN_CELL = {
  min_cell: Parameter('1 to 100: counts below it, but not 0, are given as null, so that they point at nobody'),
};

/** A sum is hidden with its parts, since it would give the hidden one away. */
const PARTS: Record<string, readonly string[]> = {
  bounced: ['soft_bounced', 'hard_bounced'],
  sent: ['delivered', 'soft_bounced', 'hard_bounced'],
};

/** The smallest count that may be shown; null where all may. */
export function readMinCell(wire: Wire): number | null {
  const text = one(wire.min_cell);
  if (text === undefined) return null;
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 100) {
    throw invalidField('min_cell', 'takes a number from 1 to 100');
  }
  return Number(text);
}

/** Refuses to hide counts in a report that names people. */
export function refuseMinCell(wire: Wire): void {
  if (readMinCell(wire) !== null) throw invalidField('min_cell', 'does not go with a report that names people');
}

/** Hides the counts that are so small that they could point at somebody. */
export function hideSmall<Name extends string>(counts: Record<Name, number>, min: number | null): Shown<Name> {
  const isSmall = (name: string) => {
    const count = counts[name as Name];
    return min !== null && count > 0 && count < min;
  };
  const isHidden = (name: string) => isSmall(name) || (PARTS[name] ?? []).some(isSmall);
  const names = Object.keys(counts) as Name[];
  const shown = names.map((name) => [name, isHidden(name) ? null : counts[name]] as const);
  const suppressed = names.some(isHidden) ? { small_cells_suppressed: true as const } : {};
  return { ...(Object.fromEntries(shown) as Record<Name, number | null>), ...suppressed };
}
